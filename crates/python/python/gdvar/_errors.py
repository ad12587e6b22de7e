"""The errors of the package."""

from __future__ import annotations

from typing import Any, Optional


class Error(ValueError):
    """Whatever is wrong with bytes, values or paths.

    ``code`` is a stable name for programs (``Truncated``), ``offset`` the byte at fault, ``path`` the value.
    """

    code: str
    offset: Optional[int]
    path: Optional[str]

    def __init__(
        self,
        message: str,
        code: str = "Error",
        offset: Optional[int] = None,
        path: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.path = path

    def __reduce__(self) -> "tuple[type[Error], tuple[object, ...]]":
        return type(self), (self.args[0], self.code, self.offset, self.path)


class DecodeError(Error):
    """Bytes that cannot be read.

    ``choices`` are keyword arguments for :func:`gdvar.open`, where a file can be read in several ways: each of them opens it.
    """

    choices: "list[dict[str, Any]]" = []


class EncodeError(Error):
    """A value that has no bytes in the target."""


class InternalError(RuntimeError):
    """A bug of gdvar: it came to a place that it should never come to. The program can go on."""

    # Without slots of its own, for a class of pyo3's gets it as a base.
    __slots__ = ()

    def __str__(self) -> str:
        return f"this is a bug of gdvar, please report it with the input: {super().__str__()}"

    def __reduce__(self) -> "tuple[type[InternalError], tuple[object, ...]]":
        return InternalError, self.args
