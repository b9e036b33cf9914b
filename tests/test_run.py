import json
import re
import shutil
import unicodedata
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from src.corpus.pack import load_pack
from tests.launching import statuses

PLAIN = ("reranker=none",)


def test_a_run_prints_its_figures_and_records_them(workplace, launch):
    ended = launch(*PLAIN)
    assert ended.status == 0, ended.err
    assert re.search(r"ndcg_at_20 +0\.\d{4}", ended.out)
    (run,) = workplace.runs()
    assert run.info.status == "FINISHED"
    assert run.data.params["retriever.name"] == "given"
    assert run.data.metrics["grammars"] == 3
    assert run.data.params["data.digest"] == load_pack(workplace.pack).digest
    stored = json.loads(Path(re.search(r"result: (.*)", ended.out)[1]).read_text())
    assert stored["metrics"]["ndcg_at_20"] == run.data.metrics["ndcg_at_20"]
    assert stored["identity"] == run.data.tags["grambench.identity"]


def test_the_curve_is_a_step_metric(workplace, launch):
    launch(*PLAIN)
    (run,) = workplace.runs()
    history = workplace.client().get_metric_history(run.info.run_id, "ndcg")
    assert [point.step for point in history] == [1, 2, 3, 4, 5, 6]
    assert history[-1].value == run.data.metrics["ndcg_at_50"]


def test_artifacts_hold_what_a_reader_needs(workplace, launch, tmp_path):
    launch(*PLAIN)
    (run,) = workplace.runs()
    names = {file.path for file in workplace.client().list_artifacts(run.info.run_id)}
    assert names == {
        "config.yaml",
        "grammars.parquet",
        "ndcg.parquet",
        "ndcg.png",
        "rankings.parquet",
        "result.json",
        "texts.yaml",
        "versions.json",
    }
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    assert yaml.safe_load((folder / "config.yaml").read_text())["reranker"]["name"] == "none"
    rows = pq.read_table(folder / "rankings.parquet").to_pylist()
    assert len(rows) == 18
    assert rows[1] == {
        "grammar": "alpha",
        "rank": 2,
        "paragraph": "alpha/002",
        "candidate_rank": 2,
        "retriever_score": rows[1]["retriever_score"],
        "score": 0.0,
        "grade": 5,
        "pages": [2],
    }


def test_a_finished_run_is_not_run_again_unless_forced(workplace, launch):
    first = launch(*PLAIN)
    again = launch(*PLAIN)
    assert "finished before" in again.out and len(workplace.runs()) == 1
    assert re.search(r"ndcg_at_20 +(\S+)", again.out)[1] in first.out
    launch(*PLAIN, "force=true")
    assert len(workplace.runs()) == 2


def test_a_reused_run_has_its_result_in_the_new_folder(workplace, launch):
    launch(*PLAIN)
    shutil.rmtree(workplace.folder / "outputs")
    ended = launch(*PLAIN)
    stored = json.loads(Path(re.search(r"result: (.*)", ended.out)[1]).read_text())
    assert stored["metrics"]["grammars"] == 3


def test_a_run_whose_files_are_gone_is_run_again(workplace, launch):
    launch(*PLAIN)
    shutil.rmtree(workplace.folder / "mlruns" / "artifacts")
    ended = launch(*PLAIN)
    assert "finished before" not in ended.out and len(workplace.runs()) == 2


def test_the_texts_that_were_sent_are_recorded(workplace, launch):
    launch("reranker=minilm", "instruct=default", "query=summary", "limit=1")
    (run,) = workplace.runs()
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    texts = yaml.safe_load((folder / "texts.yaml").read_text())
    assert texts["query"] == "The order of subject, object and verb in a clause."
    assert texts["sent"] == f"{texts['instruct']}\n{texts['query']}"


def test_a_query_typed_in_another_normal_form_is_the_same_run(workplace, launch):
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "l'ordre préféré of the verb")
        launch("retriever=bm25", *PLAIN, f'query.text="{text}"')
    assert len(workplace.runs()) == 1


def test_a_key_that_a_component_does_not_take_is_named(launch):
    ended = launch(*PLAIN, "+reranker.foo=1")
    assert ended.status == 1 and "foo" in ended.err


def test_a_word_that_names_no_device_is_refused_even_for_a_finished_run(launch):
    assert launch("reranker=minilm", "device=cpu", "limit=1").status == 0
    ended = launch("reranker=minilm", "device=cpuu", "limit=1")
    assert ended.status == 1 and "Did you mean 'cpu'?" in ended.err


def test_a_value_of_on_error_that_says_nothing_is_refused(launch):
    ended = launch(*PLAIN, "on_error=halt")
    assert ended.status == 1 and "give continue or stop" in ended.err


def test_a_password_in_the_uri_is_refused(launch):
    ended = launch(*PLAIN, "tracking.uri=http://me:secret@127.0.0.1:9")
    assert ended.status == 2 and "MLFLOW_TRACKING_PASSWORD" in ended.err
    assert "secret" not in ended.out + ended.err


def test_a_server_that_is_not_there_is_named_soon(launch):
    ended = launch(*PLAIN, "tracking.uri=http://127.0.0.1:9")
    assert ended.status == 1 and "MLflow at 'http://127.0.0.1:9' does not answer" in ended.err


def test_data_that_change_during_a_run_fail_it(workplace, launch, monkeypatch):
    from src.tasks import rerank as task

    def changing(cfg, run=task.run):
        result = run(cfg)
        grades = workplace.pack / "grades.csv"
        grades.write_text(grades.read_text().replace("alpha/001,0", "alpha/001,5"))
        return result

    monkeypatch.setattr(task, "run", changing)
    ended = launch(*PLAIN)
    assert ended.status == 1 and "changed while the run read it" in ended.err
    assert statuses(workplace.runs()) == ["FAILED"]


def test_changed_data_make_another_run(workplace, launch):
    launch(*PLAIN)
    grades = workplace.pack / "grades.csv"
    grades.write_text(grades.read_text().replace("alpha/001,0", "alpha/001,5"))
    launch(*PLAIN)
    assert len(workplace.runs()) == 2


def test_an_unknown_choice_suggests_the_nearest(launch):
    ended = launch("reranker=minlm")
    assert ended.status == 2
    assert "no reranker 'minlm'. Did you mean 'minilm'?" in ended.err
    assert "Traceback" not in ended.err


def test_an_unknown_key_is_named(launch):
    ended = launch(*PLAIN, "retriever.kk=3")
    assert ended.status == 2 and "'retriever.kk' to set. Did you mean 'k'?" in ended.err
    assert "Traceback" not in ended.err


def test_a_value_of_the_wrong_type_is_refused(launch):
    ended = launch(*PLAIN, "retriever.k=many")
    assert ended.status == 1 and "many" in ended.err and "Traceback" not in ended.err


@pytest.mark.parametrize(
    "text",
    [
        *("größe order", "What's the order?", "50% of object; yes/no", "its object (SOV)"),
        *("object=b", "subject, object"),
    ],
)
def test_how_to_write_a_text_is_said_and_right(workplace, launch, text):
    ended = launch(*PLAIN, f"query.text={text}")
    if ended.status:
        assert "is not in Hydra's grammar" in ended.err or "a,b" in ended.err or text in ended.err
        assert "Traceback" not in ended.err
    assert launch("retriever=bm25", *PLAIN, f'query.text="{text}"').status == 0
    assert workplace.runs()[0].data.params["query.text"] == text


@pytest.mark.parametrize("override", ["limit=-1", "seed=-1", "batch_size=0"])
def test_numbers_that_say_nothing_are_refused(launch, override):
    ended = launch(*PLAIN, override)
    assert ended.status == 1 and "or more" in ended.err


def test_an_experiment_with_grids_needs_a_sweep(launch):
    ended = launch("experiment=demo_rerank", "hydra.mode=RUN")
    assert ended.status == 1 and "run it with -m" in ended.err


def test_two_experiments_at_once_are_refused(launch):
    ended = launch("-m", "experiment=demo_rerank,mtob_table1")
    assert ended.status == 1 and "One experiment at a time" in ended.err


@pytest.mark.parametrize("flags", [(), ("-m",)])
def test_an_output_folder_that_cannot_be_is_named(workplace, launch, flags):
    (workplace.folder / "a_file").touch()
    ended = launch(*flags, *PLAIN, f"paths.outputs={workplace.folder}/a_file/x")
    assert ended.status == 1 and "a_file" in ended.err and "Traceback" not in ended.err


def test_a_pack_without_queries_runs_where_none_is_read(workplace, launch):
    (workplace.pack / "queries.yaml").unlink()
    assert launch(*PLAIN).status == 0
    assert launch(*PLAIN, "retriever=bm25").status == 1


def test_a_single_run_is_named_by_what_was_chosen(workplace, launch):
    launch(*PLAIN, "query=term")
    assert workplace.runs()[0].info.run_name == "reranker=none query=term"


def test_a_failed_run_says_why_and_is_recorded(workplace, launch):
    ended = launch(*PLAIN, "task.gain=none")
    assert ended.status == 1
    assert "error: Unknown gain" in ended.err
    (run,) = workplace.runs()
    assert run.info.status == "FAILED" and "Unknown gain" in run.data.tags["grambench.error"]
    log = Path(re.search(r"log: (.*)", ended.err)[1]).read_text()
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    for text in (log, (folder / "traceback.txt").read_text()):
        assert "Traceback" in text and "Unknown gain" in text


def test_a_failed_run_is_run_again(workplace, launch):
    pack = workplace.pack / "grades.csv"
    whole = pack.read_text()
    pack.write_text(whole.replace("alpha/001,0", "alpha/001,7"))
    assert launch(*PLAIN).status == 1
    pack.write_text(whole)
    assert launch(*PLAIN).status == 0
    assert statuses(workplace.runs()) == ["FAILED", "FINISHED"]


def test_a_missing_pack_is_named(launch):
    ended = launch(*PLAIN, "data.name=dmo")
    assert ended.status == 1 and "dmo" in ended.err and "demo" in ended.err


def test_a_pack_outside_the_data_folder_is_refused(launch):
    ended = launch(*PLAIN, "data.name=../demo")
    assert ended.status == 1 and "'../demo'" in ended.err and "Traceback" not in ended.err


def test_a_very_long_query_does_not_stop_a_run(workplace, launch):
    ended = launch("retriever=bm25", *PLAIN, f"query.text='{'order ' * 3334}'")
    assert ended.status == 0, ended.err
    (run,) = workplace.runs()
    assert "20004 characters" in run.data.params["query.text"]
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    assert len(yaml.safe_load((folder / "config.yaml").read_text())["query"]["text"]) == 20_004


def test_names_with_special_characters(workplace, launch):
    ended = launch(*PLAIN, "query.name='a/b, c=d'", "query.text=order", "retriever=bm25")
    assert ended.status == 0, ended.err
    assert workplace.runs()[0].data.params["query.name"] == "a/b, c=d"


def test_a_run_id_in_the_environment_is_not_taken_over(workplace, launch, monkeypatch):
    launch(*PLAIN)
    (first,) = workplace.runs()
    monkeypatch.setenv("MLFLOW_RUN_ID", first.info.run_id)
    assert launch(*PLAIN, "limit=1").status == 0
    assert len(workplace.runs()) == 2


def test_where_nothing_can_be_recorded_is_said(workplace, launch):
    (workplace.folder / "a_file").touch()
    ended = launch(*PLAIN, f"paths.mlruns={workplace.folder}/a_file/mlruns")
    assert ended.status == 1
    assert "Cannot write to" in ended.err and "paths.mlruns=FOLDER" in ended.err
    assert launch(*PLAIN, "tracking=none").status == 0


def test_without_tracking_the_result_is_still_written(workplace, launch):
    shutil.rmtree(workplace.folder / "mlruns")
    ended = launch(*PLAIN, "tracking=none")
    assert json.loads(Path(re.search(r"result: (.*)", ended.out)[1]).read_text())["metrics"]
    assert not (workplace.folder / "mlruns").exists()


def test_no_secret_of_the_environment_is_recorded(workplace, launch, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0001")
    launch(*PLAIN)
    files = [path for path in workplace.folder.rglob("*") if path.is_file()]
    assert files and not [p for p in files if b"sk-very-secret-0001" in p.read_bytes()]
