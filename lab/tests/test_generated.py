"""What generated requests have proven is counted by operation, and a run that has proven nothing fails and says what to do."""
import json
import unittest

from .generated import Answers, count, said, unproven

DOCUMENT = {"paths": {"/rests/data/a": {"get": {}, "put": {}, "parameters": []}, "/rests/operations/m:b": {"post": {}}}}
GET, PUT, RPC = "GET /rests/data/a", "PUT /rests/data/a", "POST /rests/operations/m:b"


def scenario(label, *answers):
    """A line of the report: how requests were answered, each as its method and its status, None for a time-out."""
    interactions = {str(each): {"request": {"method": method}, "response": status and {"status_code": status}}
                    for each, (method, status) in enumerate(answers)}
    return json.dumps({"ScenarioFinished": {"recorder": {"label": label, "interactions": interactions}}})


class CountingTest(unittest.TestCase):

    def count(self, *lines):
        return count(DOCUMENT, lines)

    def test_answers_are_counted_by_operation(self):
        found = self.count(json.dumps({"EngineStarted": {}}), scenario(GET, ("GET", 200), ("GET", 404), ("GET", None)),
                           scenario(RPC, ("POST", 204)), scenario(GET, ("GET", 401)))
        self.assertEqual({GET: Answers(4, 1, 1), PUT: Answers(), RPC: Answers(1, 1)}, found)
        self.assertEqual("2 of 3 operations were asked, 2 of them with success; 2 of 5 requests were accepted", said(found))

    def test_other_methods_than_the_operations_own_and_skipped_scenarios_do_not_count(self):
        skipped = json.dumps({"ScenarioFinished": {"recorder": {"label": PUT}}})
        self.assertEqual(Answers(), self.count(scenario(PUT, ("GET", 200), ("TRACE", 405)), skipped)[PUT])

    def test_what_is_proven_passes(self):
        self.assertEqual([], unproven(self.count(scenario(GET, ("GET", 200), ("GET", 404)), scenario(PUT, ("PUT", 400))), False))
        self.assertEqual([], unproven(self.count(scenario(GET, ("GET", 200)), scenario(PUT, ("PUT", 201)),
                                                 scenario(RPC, ("POST", 204), ("POST", 400))), True))

    def test_a_login_that_is_not_taken_fails(self):
        for each in (False, True):
            [problem] = unproven(self.count(scenario(GET, ("GET", 401), ("GET", 401))), each)
            self.assertRegex(problem, "2 of 2 requests were answered with 401: .*set DAQFABRIC_USER and DAQFABRIC_PASSWORD")
        [problem] = unproven(self.count(scenario(GET, ("GET", 200), ("GET", 401))), False)
        self.assertRegex(problem, "1 of 2 requests")

    def test_no_request_fails(self):
        for each in (False, True):
            [problem] = unproven(self.count(), each)
            self.assertRegex(problem, "no request was sent: give it more time .DAQFABRIC_SECONDS")

    def test_refusals_alone_fail(self):
        [problem] = unproven(self.count(scenario(PUT, ("PUT", 400), ("PUT", None))), False)
        self.assertRegex(problem, "none of 2 requests was accepted.*see what the controller answers")

    def test_reads_or_rpcs_that_are_all_refused_fail(self):
        lines = [scenario(GET, ("GET", 200)), scenario(RPC, *[("POST", 400)] * 20)]
        [problem] = unproven(self.count(*lines), False)
        self.assertRegex(problem, "^rpcs: none of 20 requests was accepted")
        self.assertEqual([], unproven(self.count(lines[0], scenario(RPC, *[("POST", 400)] * 19)), False), "too few to tell")
        [problem] = unproven(self.count(scenario(PUT, ("PUT", 201)), scenario(GET, *[("GET", 404)] * 20)), False)
        self.assertRegex(problem, "^GET: none of 20")

    def test_an_operation_that_should_have_been_accepted_fails(self):
        problems = unproven(self.count(scenario(GET, ("GET", 200)), scenario(RPC, ("POST", 400), ("POST", 409))), True)
        self.assertEqual([f"{PUT}: none of 0 requests was accepted", f"{RPC}: none of 2 requests was accepted"],
                         [problem.partition(": see what the controller answers")[0] for problem in problems])


if __name__ == "__main__":
    unittest.main()
