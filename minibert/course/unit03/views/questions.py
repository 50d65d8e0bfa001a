"""The questions at the end of lesson 3."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "The vocabulary has hug, hugg, ##s, ##gy and all letters but y. How is “huggy” split?",
                [
                    Choice("hug ##gy", False, "It takes the longest beginning, hugg, and never goes back."),
                    Choice("[UNK]", True, "Right: after hugg, there is no ##y, and the whole word is lost."),
                    Choice("hugg [UNK]", False, "If any part cannot be matched, the whole word is [UNK]."),
                ],
            ),
            QuizQuestion(
                "Two letters occur five times each, always side by side. Which score prefers this pair?",
                [
                    Choice("Frequency", False, "Five is not much, and frequency asks for nothing else."),
                    Choice("The ratio", True, "Right: 5 / (5 · 5) is large. They are never apart."),
                    Choice("Both alike", False, "Only the ratio compares the pair with its parts."),
                ],
            ),
            QuizQuestion(
                "The vocabulary has no 🐈. What does BERT read in place of “cat🐈”?",
                [
                    Choice("cat and [UNK]", False, "Nothing splits the two: it is one word."),
                    Choice("[UNK]", True, "Right. One unknown character loses the whole word."),
                    Choice("[MASK]", False, "[MASK] asks for a word. What cannot be spelled is [UNK]."),
                ],
            ),
            QuizQuestion(
                "“the” is in the question and in the passage. What enters the first layer at these places?",
                [
                    Choice(
                        "One vector at each, and they differ", True, "Right: other positions, other segments."
                    ),
                    Choice("The same vector at both", False, "Position and segment are already added."),
                    Choice("Three vectors at each", False, "The three are added up, to one."),
                ],
            ),
            QuizQuestion(
                "A batch has one sequence of 100 tokens and 31 of ten. How many positions are computed?",
                [
                    Choice("410", False, "Those are the tokens. Each [PAD] is computed, too."),
                    Choice("3,200", True, "Right: each of the 32 is as long as the longest."),
                    Choice("32 · 512", False, "The batch is as long as its longest sequence, not more."),
                ],
            ),
        ]
    )
