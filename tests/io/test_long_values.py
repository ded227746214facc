"""What is given at great length is reported in few words, by every option and in every error."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import click
import pytest

import nettrial
from nettrial.cli import COMMANDS, _run, cli
from nettrial.core.errors import FULL, InputError, not_found, shown, unknown_choice

LONG = "y" * 10**6


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "warm"])
def test_a_long_value_of_any_option_is_told_in_few_words(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    for option in options:
        values = [LONG, f"{LONG}.csv", f"{LONG}=1"][: 1 + 2 * option.multiple]
        for value in values:
            code = _run([name, *["zzz"] * (name != "compare"), option.opts[-1], value])
            note = capsys.readouterr().err
            assert code == 2, (option.opts, code)
            assert len(note) < 2000, (option.opts, note[:300])
            assert note.count("\n") == 1, (option.opts, note[:300])
    code = _run([name, LONG])
    assert code == 2
    assert len(capsys.readouterr().err) < 2000


def test_messages_end_somewhere_whatever_is_named_in_them() -> None:
    for error in (
        InputError(f"expected a name, got {LONG}; do this instead"),
        unknown_choice(LONG, LONG, [LONG] * 50),
        not_found(LONG, LONG, [LONG] * 50, LONG),
    ):
        assert len(str(error)) < FULL + 100
        assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own
    assert str(InputError(f"got {LONG}; do this instead")).startswith("got yyy")
    assert "do this instead (1" in str(InputError(f"got {LONG}; do this instead"))
    assert len(shown(LONG)) < 100
    assert str(InputError("in\n  two lines")) == "in two lines"


def test_what_numpy_says_of_a_header_is_one_line(tmp_path: Path, words) -> None:
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': (2,),{' ' * 20_000}}}\n".encode()
    member = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(16)
    with zipfile.ZipFile(tmp_path / "net.npz", "w") as file:
        for name in ("edges", "node_labels"):
            file.writestr(f"{name}.npy", member)
    with words.raises(InputError) as note:
        nettrial.read(tmp_path / "net.npz")
    assert "\n" not in str(note.value)
