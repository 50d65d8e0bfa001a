"""Supply kernels for many notebooks; the next one starts while a notebook is still running."""

from collections import deque

from ..sandbox.availability import chosen_sandbox, require_sandbox
from ..sandbox.limits import Policy
from .student_kernel import Student
from .trusted_process import TrustedProcess


class KernelPool:
    """A context manager that supplies kernels one by one, and starts `ahead` of them in advance.

    Raises SandboxError if this machine cannot provide the policy's sandbox.
    """

    def __init__(self, policy: Policy | None = None, ahead: int = 1) -> None:
        self.policy, self.ahead = policy or Policy(sandbox=chosen_sandbox()), ahead
        require_sandbox(self.policy.sandbox)
        self.waiting: deque[Student] = deque()

    def __enter__(self) -> "KernelPool":
        self._fill()
        self.trusted_process = TrustedProcess(self.policy)
        return self

    def __exit__(self, *error: object) -> None:
        while self.waiting:
            self.waiting.popleft().close()
        self.trusted_process.close()

    def _fill(self):
        while len(self.waiting) < self.ahead:
            self.waiting.append(Student(self.policy))

    def take(self) -> Student:
        """Return an unused kernel and start another one for later."""
        student = self.waiting.popleft() if self.waiting else Student(self.policy)
        self._fill()
        if student.process.poll() is None:
            return student
        student.close()  # it ended while waiting to be used
        return Student(self.policy)
