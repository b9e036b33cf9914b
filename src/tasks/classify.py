"""Can an LLM tell a typological feature's value from a grammar? (MTOB, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from omegaconf import DictConfig, OmegaConf

from src.corpus.pack import Pack, load_pack
from src.prompting.features import Feature, feature_of
from src.records import Estimate, Result
from src.tasks.asking import Asked, ask
from src.tasks.classified import Classified
from src.tasks.classify_result import result_of
from src.tasks.components import Answers, Llm, Prompt, build, build_search, reads_prompts
from src.tasks.judging import Judged, Scoring
from src.tasks.passages import Finder
from src.tasks.preparing import Settings, Setup

_FORCED = (
    "force=true runs again, but asks nothing again: {} replies were in the reply store. Another"
    " repeat= asks anew"
)


def run(cfg: DictConfig) -> Result:
    """Run the task that a composed config describes."""
    setup = _setup(cfg)
    result = classify(
        setup.pack,
        setup.feature,
        setup.llm,
        build(cfg.answers),
        setup.settings,
        prompt=setup.prompt,
        finder=setup.finder,
    )
    stored = result.metrics.get("usage/stored") if cfg.force else None
    return replace(result, notes=[*result.notes, _FORCED.format(stored)]) if stored else result


def plan(cfg: DictConfig) -> Estimate:
    """Say what the run that a composed config describes would ask, without asking."""
    setup = _setup(cfg)
    prepared = setup.prepare()
    notes = prepared.notes
    if not reads_prompts(setup.llm):
        return Estimate(0, 0, 0, 0, usd=0.0, most_usd=0.0, seconds=0.0, notes=notes)
    repeats = setup.settings.times
    questions = [asked.question(repeat) for repeat in repeats for asked in prepared.questions]
    estimate = setup.llm.estimate(questions)
    dropped = [f"{a.dropped} of {a.grammar.id}" for a in prepared.questions if a.dropped]
    if dropped:
        notes.append(f"paragraphs that do not fit the LLM's context: {', '.join(dropped)}")
    return replace(estimate, notes=[*notes, *estimate.notes])


def classify(
    pack: Pack,
    feature: Feature,
    llm: Llm,
    answers: Answers,
    settings: Settings,
    *,
    prompt: Prompt | None = None,
    finder: Finder | None = None,
) -> Result:
    """Ask an LLM for the feature's value in every grammar, read the answers and judge them.

    An LLM that reads prompts gets those that ``prompt`` makes of the paragraphs that ``finder``
    finds; without a finder it is asked without a grammar. One that does not, recorded replies or a
    guess, is asked about every grammar.

    Raises:
        GrambenchError: the pack has no values for the feature, no grammar is left, a component
            cannot do its part, or a question has no reply.
    """
    setup = Setup(pack, feature, llm, settings, prompt, finder)
    prepared = setup.prepare()
    _fit(llm, feature, prepared.gold)
    repeats = settings.times
    asker = prepared.asker
    replies = ask(llm, prepared.questions, repeats, asker.shorter if asker else _never_shorter)
    read = [answers.read(replied.reply, feature) for replied in replies]
    n = len(prepared.questions)
    by_repeat = [slice(start, start + n) for start in range(0, len(replies), n)]
    classified = Classified(
        feature.title,
        [replies[part] for part in by_repeat],
        [read[part] for part in by_repeat],
        [
            Judged(
                part,
                [labels[part.id] for labels in prepared.gold.values()],
                [[answer.labels.get(part.id) for answer in read[own]] for own in by_repeat],
                settings.scoring,
            )
            for part in feature.parts
        ],
    )
    return result_of(classified, prepared, llm)


def _setup(cfg: DictConfig) -> Setup:
    pack = load_pack(cfg.data.path)
    config: Any = OmegaConf.to_container(cfg.feature, resolve=True)
    llm = build(cfg.llm)
    task = cfg.task
    settings = Settings(
        rows=task.rows,
        scoring=Scoring(task.labels, task.invalid, task.confidence, task.resamples, cfg.seed),
        repeats=task.repeats,
        repeat=cfg.repeat,
        limit=cfg.limit,
    )
    finder = None
    if cfg.retriever.name != "none" and not hasattr(llm, "fit"):
        search, retriever = build_search(cfg, pack), build(cfg.retriever)
        finder = Finder(search, retriever, build(cfg.reranker), cfg.rerank.k)
    prompt = build(cfg.prompt) if reads_prompts(llm) else None
    return Setup(pack, feature_of(config), llm, settings, prompt, finder)


def _never_shorter(asked: Asked) -> None:
    return None


def _fit(llm: Llm, feature: Feature, gold: Mapping[str, Mapping[str, str]]) -> None:
    """Tell a guesser what there is to guess."""
    if not hasattr(llm, "fit"):
        return
    classes = {
        part.id: [value.label for value in part.values if value.offered] for part in feature.parts
    }
    llm.fit(gold, classes, {part.id: part.label for part in feature.parts})
