import importlib
import io
import math
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from optim_ref._report import progress, table
from optim_ref.corpus import encode, load_text
from optim_ref.transformer import init_params, loss_and_grads

# `from optim_ref import train` could mean the function.
training = importlib.import_module("optim_ref.train")
StepRecord, train = training.StepRecord, training.train

TOKENS, VOCABULARY = encode(load_text())
FAST = {"steps": 6, "warmup_steps": 2, "batch_size": 2}


@pytest.fixture
def params():
    return init_params(len(VOCABULARY), seed=0)


def test_train_learns(params):
    records = list(train(params, TOKENS, steps=200))
    assert records[0].loss == pytest.approx(math.log(len(VOCABULARY)), abs=0.1)
    assert np.mean([record.loss for record in records[-10:]]) < 2.4


def test_train_overfits_one_window(params):
    window = TOKENS[:33]  # as long as one window and its last target
    *_, last = train(params, window, steps=150, batch_size=1, lr_max=1e-2, warmup_steps=10)
    assert last.loss < 0.05


def test_train_counts_from_one_and_follows_the_schedule(params):
    records = list(train(params, TOKENS, lr_max=1e-2, lr_min=1e-3, **FAST))
    assert [record.step for record in records] == [1, 2, 3, 4, 5, 6]
    assert [records[0].lr, records[1].lr, records[-1].lr] == pytest.approx([5e-3, 1e-2, 1e-3])


def test_train_clips_then_reads_the_schedule_then_steps(params, monkeypatch):
    calls = []
    for name in ("clip_grad_norm", "warmup_cosine"):
        original = getattr(training, name)

        def spy(*args, name=name, original=original):
            calls.append((name, args))
            return original(*args)

        monkeypatch.setattr(training, name, spy)

    class Spy(training.AdamW):
        def step(self, params, grads, lr):
            calls.append(("AdamW.step", lr))
            norm = math.sqrt(sum(np.sum(np.square(grad)) for grad in grads.values()))
            assert norm == pytest.approx(0.5)  # the gradients it sees are clipped
            super().step(params, grads, lr)

    monkeypatch.setattr(training, "AdamW", Spy)
    record = next(train(params, TOKENS, grad_clip=0.5, **FAST))
    assert [name for name, _ in calls] == ["clip_grad_norm", "warmup_cosine", "AdamW.step"]
    assert calls[1][1] == (1, 2, 6, 1e-3, 1e-4)
    assert calls[2][1] == record.lr
    assert record.grad_norm > 0.5  # the norm before clipping


def test_train_is_determined_by_its_seed():
    def run(seed):
        return list(train(init_params(len(VOCABULARY), seed=0), TOKENS, seed=seed, **FAST))

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_train_works_only_when_asked(params):
    records = train(params, TOKENS, **FAST)
    before = {key: array.copy() for key, array in params.items()}
    assert all(np.array_equal(params[key], before[key]) for key in params)
    assert len(list(islice(records, 3))) == 3
    stopped = {key: array.copy() for key, array in params.items()}
    records.close()
    assert not np.array_equal(params["head_w"], before["head_w"])
    assert all(np.array_equal(params[key], stopped[key]) for key in params)


def test_train_without_clipping_is_clipping_at_infinity():
    def run(grad_clip):
        return list(train(init_params(len(VOCABULARY)), TOKENS, grad_clip=grad_clip, **FAST))

    assert run(None) == run(math.inf)
    assert run(None) != run(0.1)


def test_train_spoils_one_step(params):
    good = list(train(init_params(len(VOCABULARY)), TOKENS, **FAST))
    bad = list(train(params, TOKENS, bad_step=3, bad_scale=1e3, **FAST))
    assert bad[:2] == good[:2]
    assert bad[2].loss == good[2].loss
    assert bad[2].grad_norm == pytest.approx(1e3 * good[2].grad_norm)
    assert bad[3].grad_norm < 10


@pytest.mark.parametrize(("decay_all", "gain"), [(False, 1.0), (True, 0.9)])
def test_train_decays_gains_only_if_told(params, monkeypatch, decay_all, gain):
    def without_gradient(*args, **kwargs):
        value, grads = loss_and_grads(*args, **kwargs)
        return value, {key: np.zeros_like(grad) for key, grad in grads.items()}

    monkeypatch.setattr(training, "loss_and_grads", without_gradient)
    weight = params["head_w"].copy()
    list(train(params, TOKENS, steps=1, warmup_steps=1, lr_max=0.1, weight_decay=1.0, decay_all=decay_all))
    np.testing.assert_allclose(params["lnf_g"], np.full(32, gain), rtol=1e-15)
    np.testing.assert_allclose(params["head_w"], 0.9 * weight, rtol=1e-14)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"steps": 0}, ValueError, r"steps = 0 must be in \[1, inf\)"),
        ({"steps": 1.0}, TypeError, "steps = 1.0 must be an integer"),
        ({"batch_size": 0}, ValueError, r"batch_size = 0 must be in \[1, inf\)"),
        ({"bad_step": 0}, ValueError, r"bad_step = 0 must be in \[1, inf\)"),
        ({"bad_scale": math.nan}, ValueError, r"bad_scale = nan must be in \[0, inf\)"),
        ({"num_heads": 5}, ValueError, "num_heads = 5 must be a divisor of 32"),
        ({"grad_clip": -1.0}, ValueError, r"grad_clip = -1.0 must be in \[0, inf\]"),
        ({"weight_decay": -1.0}, ValueError, "weight_decay = -1.0 must be"),
        ({"warmup_steps": 7}, ValueError, "total_steps"),
        ({"lr_max": math.nan}, ValueError, "lr_max = nan must be"),
    ],
)
def test_train_refuses_before_it_changes_anything(params, wrong, error, message):
    before = {key: array.copy() for key, array in params.items()}
    with pytest.raises(error, match=message):
        next(train(params, TOKENS, **(FAST | wrong)))
    assert all(np.array_equal(params[key], before[key]) for key in params)


def test_train_refuses_a_text_no_longer_than_a_window(params):
    with pytest.raises(ValueError, match=r"tokens has shape \(32,\), must be \(n,\) with n above 32"):
        next(train(params, TOKENS[:32]))


def test_train_refuses_tokens_outside_the_vocabulary():
    with pytest.raises(ValueError, match=r"must be in \[0, 5\)"):
        next(train(init_params(5), TOKENS, **FAST))


def test_command_prints_a_table():
    command = [sys.executable, "-m", "optim_ref.train", "--steps", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    header, columns, *rows = done.stdout.splitlines()
    assert header == "31 characters: a uniform guess costs 3.4340."
    assert columns.split() == ["step", "loss", "lr", "grad_norm"]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert done.stderr == ""  # no terminal, no progress line


def test_main_takes_a_text(tmp_path, capsys):
    (tmp_path / "text").write_text("ab" * 40, encoding="utf-8")
    assert training.main(["--text", str(tmp_path / "text"), "--steps", "1", "--grad-clip", "inf"]) == 0
    assert capsys.readouterr().out.startswith("2 characters: a uniform guess costs 0.6931.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--steps", "0"], "steps = 0 must be in"),
        (["--lr-max", "nan"], "lr_max = nan must be"),
        (["--warmup-steps", "300"], "total_steps"),
        (["--text", "no/such/file"], "No such file"),
    ],
)
def test_main_explains_what_it_refuses(arguments, message, capsys):
    with pytest.raises(SystemExit) as exit_:
        training.main(arguments)
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err


def test_main_prints_the_steps_before_an_interrupt(monkeypatch, capsys):
    def interrupted(*args, **kwargs):
        yield StepRecord(1, 3.0, 1e-3, 1.0)
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", interrupted)
    assert training.main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["1", "3.0000", "1.000e-03", "1.0000"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


RECORDS = [StepRecord(step, 4.0 - step, 1e-3, 1.0) for step in (1, 2, 3)]


def test_progress_redraws_one_line_on_a_terminal():
    terminal = Terminal()
    assert list(progress(RECORDS, 3, terminal)) == RECORDS
    assert terminal.getvalue().split("\r")[1:] == [
        "[########................] step 1/3, loss 3.000 ",
        "[################........] step 2/3, loss 2.000 ",
        "[########################] step 3/3, loss 1.000 \n",
    ]


def test_progress_is_silent_elsewhere():
    file = io.StringIO()
    assert list(progress(RECORDS, 3, file)) == RECORDS
    assert file.getvalue() == ""


def test_table_keeps_first_and_last_of_many():
    records = [StepRecord(step, 1.0, 1e-3, 1.0) for step in range(1, 98)]
    steps = [int(line.split()[0]) for line in table(records).splitlines()[1:]]
    assert steps == [1, *range(9, 98, 9), 97]
