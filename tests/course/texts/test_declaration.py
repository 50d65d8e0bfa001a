"""The Declaration of Human Rights: the same articles in each language, each in its own script."""

import re

from minibert.course.texts.declaration import declaration


def test_all_languages_have_the_same_articles():
    articles = [[*texts] for texts in declaration().values()]
    assert len(articles) == 7 and all(one == articles[0] == sorted({*one}) for one in articles)
    assert all(
        text.endswith(".") and "\t" not in text for one in declaration().values() for text in one.values()
    )


def test_only_russian_is_in_cyrillic():
    for language, texts in declaration().items():
        letters = "".join(texts.values())
        assert bool(re.search("[а-яё]", letters)) == (language == "Russian")
        assert bool(re.search("[a-z]", letters)) == (language != "Russian")
