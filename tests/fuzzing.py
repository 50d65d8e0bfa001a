"""Settings of Hypothesis for tests that read random input: bounded, and the same in each run."""

from hypothesis import HealthCheck, settings


def fuzzed(count):
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
