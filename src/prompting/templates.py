"""Jinja templates of a prompt: what is wrong in them is told by part and line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn

from src.errors import GrambenchError

if TYPE_CHECKING:
    from jinja2 import Template


class Templates:
    """The parts of a prompt by their keys, such as ``parts.task``; a part may include others."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """Compile the parts.

        Raises:
            GrambenchError: naming prompt.<key> and the line where one is not Jinja.
        """
        from jinja2 import FunctionLoader, StrictUndefined, TemplateSyntaxError
        from jinja2.sandbox import SandboxedEnvironment

        self._files = {key: f"prompt.{key}" for key in sources}
        # a file name of its own for each part, so that tracebacks tell them apart
        found = {key: (text, self._files[key], lambda: True) for key, text in sources.items()}
        environment = SandboxedEnvironment(
            loader=FunctionLoader(found.get),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates: dict[str, Template] = {}
        for key in sources:
            try:
                self._templates[key] = environment.get_template(key)
            except TemplateSyntaxError as error:
                raise GrambenchError(
                    f"prompt.{key}, line {error.lineno}, is no Jinja template:"
                    f" {(error.message or '').removesuffix('.')}."
                ) from error

    def render(self, key: str, values: Mapping[str, object]) -> str:
        """Return a part with ``values`` in it, without white space around it.

        Raises:
            GrambenchError: naming prompt.<key> and the line where it cannot be filled in.
        """
        try:
            return self._templates[key].render(values).strip()
        except GrambenchError:
            raise
        except Exception as error:
            self._explain(key, values, error)

    def _explain(self, key: str, values: Mapping[str, object], error: Exception) -> NoReturn:
        where, line = self._files[key], 0
        step = error.__traceback__
        while step is not None:
            name = step.tb_frame.f_code.co_filename
            if name in self._files.values():
                where, line = name, step.tb_lineno
            step = step.tb_next
        at = f"{where}, line {line}" if line else where
        raise GrambenchError(
            f"{at}, cannot be filled in: {str(error).removesuffix('.')}. It may use"
            f" {', '.join(sorted(values))}."
        ) from error
