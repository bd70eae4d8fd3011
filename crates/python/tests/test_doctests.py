"""The examples of the docstrings, those of the extension's classes too, print what they show."""

import doctest
import inspect
import pkgutil

import lambda6
import pytest


def documented():
    """Everything with a docstring, by its name: modules, functions, classes and their members."""
    modules = [lambda6]
    modules += [
        __import__(f"lambda6.{module.name}", fromlist=["_"]) for module in pkgutil.iter_modules(lambda6.__path__)
    ]
    found = {}
    for module in modules:
        found[module.__name__] = module.__doc__
        for name, value in vars(module).items():
            if name.startswith("__") or not getattr(value, "__module__", "").startswith("lambda6"):
                continue
            found[f"lambda6.{name}"] = value.__doc__
            if inspect.isclass(value):
                for member, described in vars(value).items():
                    found[f"lambda6.{name}.{member}"] = getattr(described, "__doc__", None)
    return found


EXAMPLES = {name: text for name, text in documented().items() if text and ">>>" in text}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_example_prints_what_it_shows(name):
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, name, 0)
    failures = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_the_examples_are_found():
    for name in ["lambda6", "lambda6.Position", "lambda6.Position.threats", "lambda6.solve", "lambda6.svg"]:
        assert name in EXAMPLES


def test_everything_public_has_a_docstring():
    for name in lambda6.__all__:
        value = getattr(lambda6, name)
        if isinstance(value, (str, lambda6.Game)):
            continue
        assert value.__doc__, name
        for member, described in vars(value).items() if inspect.isclass(value) else ():
            assert member.startswith("_") or described.__doc__, f"{name}.{member}"
