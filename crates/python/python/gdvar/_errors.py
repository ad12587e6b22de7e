"""The errors of the package."""

from __future__ import annotations

from typing import Any, Optional


class Error(ValueError):
    """An error in bytes, values or paths.

    ``code`` is a stable name for programs, such as ``Truncated``. ``offset`` is the byte and ``path`` the value at fault.
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

    def __reduce__(self) -> "tuple[type[Error], tuple[object, ...], dict[str, Any]]":
        # The last has what is not an argument, such as choices and notes.
        return type(self), (self.args[0], self.code, self.offset, self.path), self.__dict__


class DecodeError(Error):
    """Bytes that cannot be read.

    If a file can be read in several ways, ``choices`` holds sets of keyword arguments for :func:`gdvar.open`, one for each way.
    """

    choices: "list[dict[str, Any]]" = []


class EncodeError(Error):
    """A value that the target cannot represent."""


class InternalError(RuntimeError):
    """A bug in gdvar: it reached a state that should be impossible. The program can continue."""

    # Without slots, because it becomes the base of a class of pyo3.
    __slots__ = ()

    def __str__(self) -> str:
        return f"this is a bug of gdvar, please report it with the input: {super().__str__()}"

    def __reduce__(self) -> "tuple[type[InternalError], tuple[object, ...]]":
        return InternalError, self.args
