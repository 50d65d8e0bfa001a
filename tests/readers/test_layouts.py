"""The layouts of plain text that are recognised, in files for which one kind of evidence decides."""

import re
from unicodedata import east_asian_width

import pytest

from minibert.readers.layouts import recognise
from minibert.readers.plain_text import MOST, describe_layouts, read_documents

TALK = (
    "hello there\nhow are you today?\nfine thanks\ndid you see the game last night\nno i was at work\n"
    "it was great!"
)
NEWS = "Council Votes For New Bridge\nWhy Are Prices Rising?\nTeam Wins At Home Again\nRain Expected All Week"
VERSE = (
    "The wind has left the hill,\nand gone to sea to play;\n"
    "The mill is standing still,\nand waits for it all day."
)
DASHES = "— Где мой зонт?\n— Не знаю, посмотри у двери.\n— Там его нет\n— Тогда в шкафу!"
HINDI = "वह घर आया।\nक्या तुम आओगे?\nबाहर बारिश थी।\nसब सो गए।"
PAGE = (
    "# The shop\nMrs. Lane opened her old shop at nine and put the\nmaps on the table. It was raining.\n"
    "## The maps\n- a large map of the town, which nobody had ever\nbought\n- a well-known map of the sea\n\n"
    "She waited for somebody to come in from the rain, and\nnobody came."
)
CUES = (
    "1\n00:00:01,000 --> 00:00:02,000\n<i>We left at</i>\n"
    "2\n00:00:03,000 --> 00:00:04,000\nnoon. It was\nhot.\n- No!\n"
)
PAGE_12 = CUES.replace("hot.", "on p.\n3\n00:00:05,000 --> 00:00:06,000\n12 of it.")
WEB = (
    "WEBVTT\n\nNOTE a comment\n\n00:01.000 --> 00:02.000\nWe left at\n\n"
    "00:03.000 --> 00:04.000 align:start\nnoon.\n"
)
# {language: paragraphs, each a list of sentences}
LONG = {
    "Chinese": [
        [
            "那年冬天，镇上下了一场很大的雪，连老人们都说从来没有见过。",
            "早上推开门，院子里的石榴树只剩下一个白色的影子。",
            "父亲穿上那件旧棉袄，拿着铁锹去扫门前的路……我站在窗前看他，心里想着学校会不会停课。",
        ],
        [
            "收音机里正在播天气预报，说大雪要下到2日夜里。",
            "“看来今天的火车也开不了了……”父亲说着，把手放在炉子上烤。",
            "过了一会儿，母亲抬起头来问我：“你的作业写完了吗？”",
        ],
    ],
    "Japanese": [
        [
            "祖父の時計店は、駅から歩いて五分ほどの坂の途中にあった。",
            "店の中はいつも薄暗く、百個を超える時計がそれぞれ勝手な時刻を指していた。",
            "祖父は黙って……懐から古い銀の時計を取り出した。",
        ],
        [
            "夏休みになると、私は毎日のように店へ通った。",
            "小さなねじを大きさごとに分けるのが、私の仕事だった。",
            "ねじは米粒よりも小さく、息を吹きかけただけで飛んでいってしまう。",
        ],
    ],
    "Korean": [
        [
            "할머니의 빵집은 시장 골목 끝에 있었다.",
            "새벽 네 시가 되면 가게에 불이 켜지고 밀가루 냄새가 골목을 채웠다.",
            "나는 방학 때마다 그곳에서 일을 도왔다.",
        ],
        [
            "어느 날 아침, 낯선 손님이 문을 열고 들어왔다.",
            "그는 오래된 사진 한 장을 내밀며 이 빵을 만들 수 있느냐고 물었다.",
            "할머니는 안경을 고쳐 쓰고 사진을 한참 동안 들여다보았다.",
        ],
    ],
    "Hindi": [
        [
            "हमारे गाँव में एक पुराना कुआँ था जिसका पानी कभी नहीं सूखता था।",
            "लोग कहते थे कि उसे किसी राजा ने अपनी बेटी के विवाह पर बनवाया था।",
            "सुबह होते ही औरतें घड़े लेकर वहाँ पहुँच जातीं।",
        ],
        [
            "एक साल बारिश बिल्कुल नहीं हुई।",
            "खेत पीले पड़ गए और तालाब की मिट्टी फट गई।",
            "फिर भी कुएँ में पानी था, ठंडा और मीठा।",
        ],
    ],
    "Arabic": [
        [
            "كان جدي يملك مكتبة صغيرة في آخر السوق القديم.",
            "كانت الرفوف تصل إلى السقف، وكان السلم الخشبي يصدر صوتا كلما صعدنا عليه.",
            "كل يوم بعد المدرسة كنت أذهب إليه وأجلس قرب النافذة.",
        ],
        [
            "في أحد أيام الشتاء دخل رجل غريب يحمل صندوقا ثقيلا.",
            "وضع الصندوق على الطاولة وقال إنه يريد أن يبيع ما فيه.",
            "فتح جدي الصندوق ببطء وأخرج منه مخطوطا قديما مكتوبا بحبر أحمر وأسود.",
        ],
    ],
}
UNSPACED = ("Chinese", "Japanese")


def columns(text):
    return sum(1 + (east_asian_width(character) in "WF") for character in text)


def wrap(text, size, width, language):
    """Wrap a text at `size`, as measured by width(text); Chinese and Japanese between any two signs."""
    lines = [""]
    parts = r"\w(?:[，。、：？]|……|”)*|\W" if language in UNSPACED else r"\s*\S+"
    for part in re.findall(parts, text):
        if lines[-1] and width(lines[-1] + part) > size:
            lines.append(part.lstrip())
        else:
            lines[-1] += part
    return "\n".join(lines)


def read(tmp_path, text, layout="auto"):
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    return read_documents(path, layout)


@pytest.mark.parametrize("text", [TALK, NEWS, DASHES, HINDI])
@pytest.mark.parametrize("count", [1, 20])
def test_lines_of_many_lengths_are_sentences_even_if_few_have_marks(tmp_path, text, count):
    assert read(tmp_path, "\n\n".join([text] * count)) == [text.splitlines()] * count


def test_verse_whose_lines_end_in_commas_or_continue_in_lower_case_is_joined(tmp_path):
    assert read(tmp_path, "\n\n".join([VERSE] * 4)) == [[VERSE.replace("\n", " ")] * 4]


@pytest.mark.parametrize("width", [columns, len])
@pytest.mark.parametrize("size", [30, 36, 40, 60, 72])
@pytest.mark.parametrize("language", LONG)
def test_wrapped_paragraphs_of_any_script_are_joined(tmp_path, language, size, width):
    space, indent = ("", "\u3000\u3000") if language in UNSPACED else (" ", "  ")
    for text in (LONG[language][:1], LONG[language], LONG[language] * 9):
        flat = [sentence for paragraph in text for sentence in paragraph]
        for indentation, between in (("", "\n\n"), (indent, "\n\n"), (indent, "\n"))[: 1 + len(text)]:
            paragraphs = (wrap(indentation + space.join(part), size, width, language) for part in text)
            documents = read(tmp_path, between.join(paragraphs))
            assert [sentence for document in documents for sentence in document] == flat
            assert [len(document) for document in documents] == [9] * (len(flat) // 9 - 1) + [
                len(flat) - 9 * max(0, len(flat) // 9 - 1)
            ]


@pytest.mark.parametrize(
    "text",
    [
        "今天天气很好。\n明天可能下雨。\n你想吃什么呢？\n我们去看电影。\n他在家里睡觉。",
        "在吗\n在的，怎么了？\n昨天的比赛你看了吗\n没有 我在上班\n太精彩了！\n是吗 结果怎么样",
        "「どこへ行くの？」\n「学校。今日は試験があるんだ」\n「傘は持った？」\n「いや、まだ降っていないよ」",
        "먼 하늘 저편에\n작은 별 하나 빛나네\n너의 이름을 부르던\n그 여름날의 바다\n다시 만날 수 있을까?",
        "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。",
    ],
)
def test_lines_of_dialogue_or_verse_in_scripts_without_capitals_stay_lines(tmp_path, text):
    assert read(tmp_path, text) == [text.splitlines()]


def test_lines_of_verse_that_end_in_commas_are_joined_whatever_their_indentation(tmp_path):
    assert read(tmp_path, "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。") == [
        ["床前明月光，疑是地上霜。", "举头望明月，低头思故乡。"]
    ]
    assert read(tmp_path, VERSE.replace("\nand", "\n    and")) == [[VERSE.replace("\n", " ")]]


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("我们去过 UNESCO 的博物馆。\n大家都用\nPython 写程序。", "大家都用 Python 写程序。"),
        ("我们去过UNESCO的博物馆。\n大家都用\nPython写程序。", "大家都用Python写程序。"),
        ("大家等了很久……\n3年后他才回来。", "大家等了很久……3年后他才回来。"),
        ("他说：\n“走吧……”\n然后笑了 (\n没有出声\n)。", "他说：“走吧……”然后笑了 (没有出声)。"),
        ("Он ждал…\nНикто не пришёл.", "Никто не пришёл."),
    ],
)
def test_a_line_end_is_a_space_only_if_the_text_has_spaces_in_such_places(tmp_path, text, sentences):
    assert read(tmp_path, text, "wrapped")[0][-1] == sentences


@pytest.mark.parametrize("count, doubt", [(1, ""), (2, "too few lines to be sure; "), (6, "")])
def test_a_file_of_few_lines_is_read_with_a_doubt(tmp_path, count, doubt):
    (tmp_path / "text.txt").write_text("One came.\n" * count)
    assert next(describe_layouts(tmp_path / "text.txt")).endswith(f" ({doubt}see --layout)")


def test_headings_and_list_items_of_a_wrapped_text_are_paragraphs(tmp_path):
    assert recognise(PAGE).name == "wrapped"
    assert read(tmp_path, PAGE) == [
        [
            "# The shop",
            "Mrs. Lane opened her old shop at nine and put the maps on the table.",
            "It was raining.",
            "## The maps",
            "- a large map of the town, which nobody had ever bought",
            "- a well-known map of the sea",
            "She waited for somebody to come in from the rain, and nobody came.",
        ]
    ]


@pytest.mark.parametrize(
    "divided, whole",
    [("cup-\nboard", "cupboard"), ("well-\nknown", "well-known"), ("Jean-\nPaul", "Jean- Paul")],
)
def test_a_hyphen_at_the_end_of_a_line_is_kept_in_a_word_that_has_it_elsewhere(tmp_path, divided, whole):
    text = (
        f"A well-known man looked for his umbrella in the {divided} of the kitchen, but it was not ther-\ne."
    )
    assert read(tmp_path, text) == [
        [f"A well-known man looked for his umbrella in the {whole} of the kitchen, but it was not there."]
    ]


def test_a_soft_hyphen_at_the_end_of_a_line_is_removed_in_any_text(tmp_path):
    plain = "She put the old maps back into the shop\nand then she opened the door again.\n\n" * 60
    found = read(tmp_path, plain + "She opened the cup\u00ad\nboard.", "wrapped")
    assert found[-1][-1] == "She opened the cupboard."


def test_lines_of_one_length_are_sentences_if_none_begins_in_lower_case(tmp_path):
    text = (
        "Council Votes For The New Bridge\nWhy Are All The Prices Rising?\nHome Team Wins All Games Again\n"
    )
    assert read(tmp_path, text * 3) == [text.splitlines() * 3]


@pytest.mark.parametrize(
    "text, sentences",
    [
        (CUES, ["We left at noon.", "It was hot.", "- No!"]),
        (PAGE_12, ["We left at noon.", "It was on p. 12 of it.", "- No!"]),
        (WEB, ["We left at noon."]),
    ],
)
def test_subtitles_lose_their_numbers_times_and_notes(tmp_path, text, sentences):
    assert recognise(text).name == "subtitles"
    assert read(tmp_path, text) == [sentences]


def test_a_book_in_one_line_is_divided_into_documents(tmp_path):
    assert [len(found) for found in read(tmp_path, "He came. " * (2 * MOST + 50))] == [MOST, MOST, 50]


def test_indented_lines_without_blank_lines_are_paragraphs_and_no_documents(tmp_path):
    text = "One came. Two came. Three came.\n" * 4
    assert len(read(tmp_path, text)) == 4
    indented = "\t" + text.replace("\n", "\n\t")
    assert len(read(tmp_path, indented)) == 1
    assert [len(document) for document in read(tmp_path, indented * 4)] == [9] * 4 + [12]


@pytest.mark.parametrize(
    "layout, documents",
    [
        ("sentences", [["One. Two", "three. Four."], ["Five."]]),
        ("paragraphs", [["One.", "Two", "three.", "Four."], ["Five."]]),
        ("documents", [["One.", "Two"], ["three.", "Four."], ["Five."]]),
        ("prose", [["One.", "Two", "three.", "Four.", "Five."]]),
        ("wrapped", [["One.", "Two three.", "Four.", "Five."]]),
    ],
)
def test_a_layout_can_be_given(tmp_path, layout, documents):
    assert read(tmp_path, "One. Two\nthree. Four.\n\nFive.\n", layout) == documents


def test_an_unknown_layout_is_refused(tmp_path):
    with pytest.raises(ValueError, match="layout='wraped' must be one of .* did you mean 'wrapped'"):
        read(tmp_path, "One.", "wraped")
