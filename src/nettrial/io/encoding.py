"""Text that is not UTF-8: UTF-16 with its byte order mark, and Windows-1252 (Latin-1)."""

from __future__ import annotations

import codecs

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
CONTROL = bytes(set(range(32)) - {9, 10, 11, 12, 13, 26, 27} | {127})
MAX_SHARE = 0.3  # of bytes beyond ASCII in text that uses Latin letters


def is_utf16(data: bytes) -> bool:
    return data.startswith(UTF16)


def is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def from_utf16(data: bytes, *, cut: bool = False) -> bytes | None:
    """Turn UTF-16 with its mark into UTF-8; None where it is damaged.

    `cut` says that the data may end in the middle of a character.
    """
    try:
        return data.decode("utf-16", "ignore" if cut else "strict").encode()
    except UnicodeError:
        return None


def from_latin(data: bytes) -> bytes | None:
    """Turn Windows-1252, which holds Latin-1, into UTF-8; None where it cannot be that.

    Control characters and too many bytes beyond ASCII tell other encodings and binary data.
    """
    beyond = len(data) - len(data.translate(None, bytes(range(128, 256))))
    if beyond > MAX_SHARE * len(data) or len(data.translate(None, CONTROL)) < len(data):
        return None
    try:
        return data.decode("cp1252").encode()
    except UnicodeDecodeError:
        return None


def head_as_utf8(head: bytes) -> bytes:
    """Turn the first bytes of a text file into UTF-8; those of other files stay as they are."""
    if is_utf16(head):
        return from_utf16(head, cut=True) or head
    tail = max(len(head) - 3, 0)
    if is_utf8(head) or any(is_utf8(head[:end]) for end in range(tail, len(head))):
        return head
    return from_latin(head) or head
