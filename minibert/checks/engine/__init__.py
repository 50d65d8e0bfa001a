"""How a check climbs from "does it exist" to "are the values right", recognises known mistakes, and speaks to
the student.
"""
