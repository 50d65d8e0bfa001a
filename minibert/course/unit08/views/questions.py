"""The questions at the end of lesson 8."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "A name is cut into four tokens. How many of them carry a label?",
                [
                    Choice("One, the first", True, "Right. The others get IGNORE; the word counts once."),
                    Choice("All four", False, "Then long names would count more than short ones."),
                    Choice("None", False, "Names are cut into subwords, so hardly one is unknown."),
                ],
            ),
            QuizQuestion(
                "Which entities do the tags O I-LOC I-PER mark, for conlleval?",
                [
                    Choice("None", False, "A stray I- begins an entity, as B- would."),
                    Choice("One of two words", False, "The types differ, so a new entity begins."),
                    Choice("A place, then a person", True, "Right: both strays begin an entity."),
                ],
            ),
            QuizQuestion(
                "Three words are one name; the model tags the first two. What does the entity score count?",
                [
                    Choice("Two thirds of an entity", False, "There are no parts: both ends must be right."),
                    Choice("A wrong one, and a missed one", True, "Right: precision and recall fall."),
                    Choice("One right entity", False, "Its end is wrong."),
                ],
            ),
            QuizQuestion(
                "How can a model tag a name that no labelled sentence has?",
                [
                    Choice(
                        "By what stands around it", True, "Right, and by what pretraining has read of it."
                    ),
                    Choice("By a list of names", False, "A list cannot have it."),
                    Choice("By its capital letter", False, "This model reads lowercase only."),
                ],
            ),
            QuizQuestion(
                "What does the feature-based approach leave as it is?",
                [
                    Choice("The BiLSTM", False, "That is just what it trains."),
                    Choice("The encoder", True, "Right: it runs once over the text."),
                    Choice("The weights of the sum", False, "Those are learned, one for each layer."),
                ],
            ),
        ]
    )
