"""Ansible's way into a machine of these tests: nsenter, as they have no SSH."""
import shutil
import subprocess

from ansible.plugins.connection import ConnectionBase

DOCUMENTATION = """
    name: machine
    short_description: Enters a container by the process id of its init
    description: Enters a container by the process id of its init.
    options:
      leader:
        description: The process id.
        vars: [{name: machine_leader}]
"""


class Connection(ConnectionBase):
    """One machine."""

    transport = "machine"
    has_pipelining = True

    def _connect(self):
        self._connected = True
        return self

    def exec_command(self, cmd, in_data=None, sudoable=True):
        super().exec_command(cmd, in_data=in_data, sudoable=sudoable)
        done = subprocess.run(
            ["nsenter", "-t", str(self.get_option("leader")), "-m", "-u", "-i", "-n", "-p", "-r", "-w", "env", "-i",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "sh", "-c", f"cd /root; {cmd}"],
            input=in_data, stdin=None if in_data else subprocess.DEVNULL, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def put_file(self, in_path, out_path):
        shutil.copy(in_path, self._inside(out_path))

    def fetch_file(self, in_path, out_path):
        shutil.copy(self._inside(in_path), out_path)

    def _inside(self, path):
        return f"/proc/{self.get_option('leader')}/root{path}"

    def close(self):
        self._connected = False
