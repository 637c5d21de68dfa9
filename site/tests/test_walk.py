"""A page that is wrong is found."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import pages_walk
from pages_walk import Place, Shell, Wrong, difference, steps, walk

ROOT = Path(__file__).resolve().parents[2]


def page(commands, shown=None, language="text", mark=""):
    answer = f"```{language}\n{shown}\n```\n" if shown is not None else ""
    return f"# Title\n\nText.\n\n{mark}\n```sh\n{commands}\n```\n{answer}"


class WalkTest(unittest.TestCase):

    def setUp(self):
        self.shell = Shell()
        self.addCleanup(lambda: self.shell.close())  # noqa: PLW0108  (a test may put another there)
        self.said = []

    def follow(self, text, place=None):
        place = place or Place()
        for problem in walk(steps(text, "page.md"), place, self.shell, self.said.append):
            raise Wrong(problem)

    def test_what_is_so_passes(self):
        self.follow(page("echo one; echo two three", "one\ntwo ..."))
        self.follow(page("A=5") + page("echo $A", "5"))
        self.follow(page("""printf '{"b":[{"n":1},{"n":2,"m":[]}],"a":"x 3 y"}'""", '{"a": "x ... y", "b": [{"n": 2}]}', "json"))
        self.follow(page("false", mark="<!-- walk: exit 1 -->"))
        self.follow(page("seq 9", "1\n...\n9"))
        self.follow(page("cat"))  # nobody types
        self.assertEqual(7, len(self.said))

    def test_what_is_not_so_fails(self):
        for text in (page("echo one", "two"), page("echo one; echo two", "one"), page("echo one", "one\ntwo"), page("false"),
                     page("true", mark="<!-- walk: exit 1 -->"), page("echo {}", '{"a": 1}', "json"), page("echo '[]'", "{}", "json"),
                     page("echo '{\"a\": [1]}'", '{"a": []}', "json"), page("echo no", "{}", "json"), page("no-such-command"),
                     page("true", mark="<!-- walk: whatever -->"), page("exit 3"), page("printf 'b\\na\\n'", "a\nb")):
            self.shell.close()
            self.shell = Shell()
            with self.subTest(text), self.assertRaises(Wrong):
                self.follow(text)

    def test_the_message_says_where_and_what(self):
        with self.assertRaisesRegex(Wrong, r"page.md:6: nothing is printed like: two\n(.|\n)*echo one(.|\n)*one"):
            self.follow(page("echo one", "two"))

    def test_what_takes_time_is_repeated_as_long_as_the_page_says(self):
        self.follow("N=0\n" + page("N=0") + page("N=$((N + 1)); echo $N", "3", mark="<!-- walk: within 5 s -->"))
        with self.assertRaises(Wrong):
            self.follow(page("echo 1", "2", mark="<!-- walk: within 1 s -->"))

    def test_what_is_not_for_here_is_left_out(self):
        self.follow(page("false", "x", mark="<!-- walk: not here: takes an hour -->"))
        self.follow(page("make controller\nmake stop", "anything"))
        self.assertEqual([], self.said)

    def test_sections(self):
        text = "# A\n```sh\nfalse\n```\n## B\n```sh\necho b\n```\n### C\n```sh\necho c\n```\n## D\n```sh\nfalse\n```\n"
        self.assertEqual(["echo b\n", "echo c\n"], [step.commands for step in steps(text, "x", "B")])
        with self.assertRaises(Wrong):
            steps(text, "x", "E")

    def test_pages_without_commands_prove_nothing(self):
        with self.assertRaisesRegex(Wrong, "README.md#Read on: nothing is tried"):
            pages_walk.page("README.md#Read on")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(1, pages_walk.main(["LICENSE"]))
        self.assertIn("nothing is tried, none of the pages has a command", said.getvalue())

    def test_another_place(self):
        place = Place("127.0.0.1:8281", "172.31.0.2", "-2", "it/target/controller")
        self.assertEqual("lab/daqlab generate --prototype --name prototype-2 > f; lab/daqlab up --controller 172.31.0.2 f",
                         place.put("lab/daqlab generate --prototype > f; lab/daqlab up f"))
        self.assertEqual("curl 127.0.0.1:8281/fabric=prototype-2; tail it/target/controller/data/log/karaf.log",
                         place.put("curl 127.0.0.1:8181/fabric=prototype; tail target/controller/data/log/karaf.log"))

    def test_what_pages_do_by_ssh_is_done_to_controllers_of_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            for number in (1, 2):
                (Path(folder) / str(number)).mkdir()
            self.shell.close()
            self.shell = Shell(folder=folder).with_stand_ins(folder, folder)
            place = Place(others=(("10.0.0.", "172.31.0.1"),))
            self.follow(page("A=10.0.0.2; echo x > y; scp -q y $A:/opt/daqfabric/etc/; ssh $A cat /opt/daqfabric/etc/y", "x"), place)
            self.follow(page("ssh 10.0.0.2 'cd /opt/daqfabric && pwd'; ls", ".../2\n1\n2\ny"), place)
            self.shell.close()
            self.shell = Shell(folder=folder).with_stand_ins(f"{folder}/1", folder)  # the only one
            self.follow(page("ssh 172.31.0.3 touch /opt/daqfabric/z; ls 1", "z"))

    def test_numbers_and_texts_of_json(self):
        self.assertIsNone(difference('{"a": "..."}', '{"a": 5, "b": 1}', "json"))
        self.assertEqual('/a is 5, not 6', difference('{"a": 6}', '{"a": 5}', "json"))
        self.assertEqual("/b is not there", difference('{"b": 6}', '{"a": 5}', "json"))
        self.assertEqual('/a has no entry {"n": 3}', difference('{"a": [{"n": 3}]}', '{"a": [{"n": 1}]}', "json"))

    def test_values_that_vary(self):
        shown = '{"n": 3, "t": "x", "l": [{"a": "1"}, "..."]}'
        self.assertIsNone(difference(shown, '{"n": 4, "t": "y", "l": [{"a": "2"}]}', "json", vary=True))
        self.assertIsNone(difference(shown, '{"n": 4, "t": "y", "l": []}', "json", vary=True))
        self.assertEqual("/n is \"4\", not 3", difference(shown, '{"n": "4", "t": "y", "l": []}', "json", vary=True))
        self.assertEqual("/t is not there", difference(shown, '{"n": 4, "l": []}', "json", vary=True))
        self.assertEqual('/l has no entry {"a": "1"}', difference(shown, '{"n": 4, "t": "y", "l": [{"b": "1"}]}', "json", vary=True))

    def test_the_tour_shows_something_for_most_of_its_steps(self):
        tour = steps((ROOT / "README.md").read_text(), "README.md", "Five-minute tour")
        self.assertGreaterEqual(len(tour), 10)
        self.assertGreaterEqual(len([step for step in tour if step.shown]) / len(tour), 0.6)


if __name__ == "__main__":
    unittest.main()
