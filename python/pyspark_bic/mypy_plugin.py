"""Tells mypy of the methods that ``import pyspark_bic`` adds to ``DataFrame``.

Name it in mypy's configuration::

    [tool.mypy]
    plugins = ["pyspark_bic.mypy_plugin"]

Without it mypy takes ``edges.bicConnectivity`` for a column of that name, because a DataFrame hands
its columns out as attributes. Then mypy says that a Column cannot be called. With it the methods
have the parameters and results of the functions, and a wrong argument is an error.
"""

from collections.abc import Callable

from mypy.nodes import MypyFile
from mypy.plugin import AttributeContext, Plugin
from mypy.types import CallableType, Overloaded, Type, get_proper_type

_DATA_FRAME = "pyspark.sql.dataframe"
_METHODS = "pyspark_bic._methods"


class _Methods(Plugin):
    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        # A module that uses DataFrame knows the methods, whichever module imports pyspark_bic.
        return [(10, _METHODS, -1)] if file.fullname == _DATA_FRAME else []

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        if owner != f"{_DATA_FRAME}.DataFrame" or not name.startswith("bic"):
            return None
        # The twin of bicComponents is bic_components.
        first, *words = name.split("_")
        declared = self.lookup_fully_qualified(
            f"{_METHODS}.BicDataFrame.{first}{''.join(map(str.capitalize, words))}"
        )
        function = get_proper_type(declared.type) if declared is not None else None
        if isinstance(function, Overloaded):
            methods: Type = Overloaded([_without_edges(each) for each in function.items])
            return lambda _context: methods
        if not isinstance(function, CallableType):
            return None
        method = _without_edges(function)
        return lambda _context: method


def _without_edges(function: CallableType) -> CallableType:
    """The function as a method: without its first parameter."""
    return function.copy_modified(
        arg_types=function.arg_types[1:],
        arg_kinds=function.arg_kinds[1:],
        arg_names=function.arg_names[1:],
    )


def plugin(version: str) -> type[Plugin]:  # noqa: ARG001
    """The entry point that mypy calls."""
    return _Methods
