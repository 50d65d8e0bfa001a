"""The answers of an invented help desk, and questions to it, for a class that compares two searches."""

ANSWERS = (
    "Lost your student card? Report it at the service desk in room B12. A new one costs 15 euros.",
    "The library is open from 8 to 22 on weekdays and from 10 to 18 on Saturdays.",
    "Books can be borrowed for four weeks. For each day after that you pay 20 cents.",
    "To change your password, open the account page and follow the link in the mail.",
    "The wireless network is called campus-net. Log in with your account name.",
    "Printing costs 5 cents a page. There are printers on every floor of the library.",
    "Form F7 is for an exam at another date because of illness. Add a doctor's note.",
    "Form F9 is for students who want to leave the university.",
    "Form F12 is for changing from one subject to another.",
    "Exam results are published on the account page after two weeks.",
    "After a failed exam, you may repeat it twice.",
    "The canteen serves lunch from 11 to 14. There is always a dish without meat.",
    "Bicycles can be locked in the yard behind building C. Cars need a permit.",
    "Room A101 has a piano. Members of the choir may use it after 18.",
    "Room A110 is a quiet room for breaks and prayer.",
    "Room A111 has six computers with large screens.",
    "The doctor on campus sees students without an appointment on Mondays.",
    "For stress and worries, our counsellors offer free talks. Everything stays between you and them.",
    "The child care centre takes children of students from the age of one.",
    "Scholarships: send your application by the first of May. Marks and income count.",
    "The fee for a semester is 320 euros. It includes a ticket for buses and trains.",
    "Rooms in the student residences are given by lot in July.",
    "Sports courses for beginners start in October, swimming included.",
    "Courses in German, Spanish and Chinese are free for all students.",
    "To study a year abroad, talk to the international office before December.",
    "A course with too few participants is cancelled. You will get a mail.",
    "Work as a tutor: we pay 14 euros an hour. Ask the teacher of the course.",
    "The graduation party is in the great hall on 12 July. Each graduate may bring two guests.",
)
SAME, OTHER, CODE = "the answer's own words", "other words", "a code"
QUESTIONS = {  # kind -> question -> the beginning of the right answer
    SAME: {
        "How much does printing cost?": "Printing",
        "When is the library open?": "The library",
        "When does the canteen serve lunch?": "The canteen",
        "When are exam results published?": "Exam results",
        "How high is the fee for a semester?": "The fee",
        "How do I change my password?": "To change",
    },
    OTHER: {
        "Where do I park my bike?": "Bicycles",
        "I feel overwhelmed and need somebody to listen": "For stress",
        "How do I get online with my laptop?": "The wireless",
        "I did not pass the test, can I try again?": "After a failed",
        "Who looks after my baby during lectures?": "The child care",
        "I want to live close to the university": "Rooms in",
        "I have to bring back a novel and I am late": "Books",
        "Is there something to eat for vegetarians?": "The canteen",
    },
    CODE: {
        "F7": "Form F7",
        "F9": "Form F9",
        "F12": "Form F12",
        "What is in A101?": "Room A101",
        "What is in A110?": "Room A110",
        "What is in A111?": "Room A111",
        "What is in B12?": "Lost your",
    },
}


def right_answer(beginning: str) -> int:
    """Return the index of the answer that begins like this."""
    return next(i for i, answer in enumerate(ANSWERS) if answer.startswith(beginning))
