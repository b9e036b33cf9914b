"""All files at once, each in a process of its own, the largest first."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.settings import ParagraphSettings
from src.importers.grammars.earlier import Earlier
from src.importers.grammars.finding import Found
from src.importers.grammars.one_book import Outcome, Task, read_one
from src.importers.grammars.workers import Died, in_parallel


def read_all(
    found: Sequence[Found], settings: ParagraphSettings, earlier: Earlier, jobs: int
) -> dict[str, Outcome]:
    """Read files in ``jobs`` processes; return what came of each, by the grammar's id."""
    from tqdm import tqdm

    # A long book that is begun last would leave the other processes idle.
    largest_first = sorted(found, key=lambda one: -one.size)
    tasks = [Task(one, settings, earlier.stamp(one.id, one.file)) for one in largest_first]
    outcomes: dict[str, Outcome] = {}
    total = sum(one.size for one in found)
    # disable=None: no bar where nobody watches
    with tqdm(total=total, unit="B", unit_scale=True, desc="reading", disable=None) as bar:
        for task, done in in_parallel(read_one, tasks, min(jobs, len(tasks))):
            outcome = Outcome(failed=str(done)) if isinstance(done, Died) else done
            outcomes[task.found.id] = outcome
            bar.update(task.found.size)
            bar.set_postfix_str(task.found.id, refresh=False)
    return outcomes
