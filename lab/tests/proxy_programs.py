"""nginx, Apache httpd and HAProxy with the settings of docs/proxies.md, as programs that end with a test.

What `scripts/setup tests` has brought into .cache/proxies is used, or what is installed.
"""
import contextlib
import getpass
import os
import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

from .support import LAB, eventually

ROOT = LAB.parent
PAGE = ROOT / "docs/proxies.md"
BROUGHT = ROOT / ".cache/proxies"
PREFIX = "/daq"  # of the page
# what Debian has on without being asked; compression is, so that it would show
MODULES = ("mpm_event", "authz_core", "alias", "filter", "deflate", "headers", "socache_shmcb", "setenvif", "ssl", "proxy", "proxy_http")
DEFLATED = "AddOutputFilterByType DEFLATE text/html text/css text/javascript application/javascript application/xml text/event-stream"


def _found(path):
    """A file of a package."""
    for each in (BROUGHT / path, Path("/", path)):
        if each.exists():
            return each
    raise FileNotFoundError(f"there is no {path}: scripts/setup tests brings it")


def certificate(folder):
    """A certificate of 127.0.0.1, its key, and both in one file."""
    cert, key, both = folder / "cert.pem", folder / "key.pem", folder / "daq.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                    "/CN=daq", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert], check=True, capture_output=True)
    both.write_text(cert.read_text() + key.read_text())
    return cert


def settings(language):
    """What the page says to write, of one proxy."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(blocks) == 1, f"docs/proxies.md has {len(blocks)} blocks of {language}"
    return blocks[0]


def _with(text, changes):
    """The text with its places taken by those of the test, each of which must be there."""
    for pattern, place in changes.items():
        text, count = re.subn(pattern, str(place), text, flags=re.M)
        assert count, f"{pattern} is not in:\n{text}"
    return text


class Proxy:
    """One of them before a controller, as a context; `url` is that of the page."""

    def __init__(self, name, folder, controller):
        """folder: with the certificate; controller: HOST:PORT of its web server."""
        self.name = name
        self._folder, self._controller = folder, controller
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"https://127.0.0.1:{self._port}{PREFIX}"
        self.trust = ssl.create_default_context(cafile=folder / "cert.pem")

    def __enter__(self):
        own = self._folder / self.name
        own.mkdir()
        for each in (self._folder, own):
            each.chmod(0o755)  # they leave root behind
        command = getattr(self, f"_{self.name}")(own)
        libraries = ":".join(str(each) for each in BROUGHT.glob("usr/lib/*-linux-gnu"))
        with (own / "log").open("w") as log:
            self._program = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"LD_LIBRARY_PATH": libraries})
        try:
            eventually(self._answers, f"{self.name} listens", 10)
        except BaseException as e:
            self.__exit__()
            raise AssertionError(f"{self.name}: {(own / 'log').read_text()}") from e
        return self

    def __exit__(self, *_):
        self._program.terminate()
        self._program.wait()

    def _answers(self):
        assert self._program.poll() is None, "it has ended"
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self._port)).close()
            return True
        return False

    def _settings(self, language, listen, **changes):
        return _with(settings(language), {re.escape("127.0.0.1:8181"): self._controller, **listen, **changes})

    def _nginx(self, own):
        """Debian's own nginx.conf, in which all is in other places."""
        shutil.copytree(_found("etc/nginx"), own / "etc", ignore=shutil.ignore_patterns("modules-enabled", "sites-*", "conf.d"))
        (own / "daqfabric").write_text(self._settings("nginx", {"listen 443 ssl": f"listen 127.0.0.1:{self._port} ssl",
                                                                "/etc/ssl/daq": self._folder}))
        folders = "".join(f"{each}_temp_path {own}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = own / "etc/nginx.conf"
        conf.write_text(_with(conf.read_text(), {
            "^include .*modules-enabled.*$": "", "/run/nginx.pid": own / "pid", "/var/log/nginx": own, "^.*/conf.d/.*$": folders,
            "include .*/sites-enabled/.*;": f"include {own}/daqfabric;", "/etc/nginx": own / "etc",
            "^user .*$": "user www-data;" if os.geteuid() == 0 else ""}))
        return [_found("usr/sbin/nginx"), "-e", own / "error.log", "-c", conf, "-g", "daemon off;"]

    def _apache(self, own):
        modules = _found("usr/lib/apache2/modules")
        user = "www-data" if os.geteuid() == 0 else getpass.getuser()
        (own / "apache2.conf").write_text("\n".join([
            f"ServerRoot {own}", f"PidFile {own}/pid", f"Mutex file:{own} default", f"ErrorLog {own}/error.log", "ServerName 127.0.0.1",
            f"Listen 127.0.0.1:{self._port}", *(f"LoadModule {each}_module {modules}/mod_{each}.so" for each in MODULES),
            f"User {user}", f"Group {user}", DEFLATED,
            self._settings("apache", {r"\*:443": f"127.0.0.1:{self._port}", "/etc/ssl/daq": self._folder})]))
        return [_found("usr/sbin/apache2"), "-f", own / "apache2.conf", "-DFOREGROUND"]

    def _haproxy(self, own):
        """After Debian's own defaults."""
        defaults = _found("etc/haproxy/haproxy.cfg").read_text().partition("\ndefaults\n")[2]
        (own / "haproxy.cfg").write_text(
            "defaults\n" + _with(defaults, {"/etc/haproxy": _found("etc/haproxy")})
            + self._settings("haproxy", {"bind :443": f"bind 127.0.0.1:{self._port}", "/etc/ssl/daq": self._folder}))
        return [_found("usr/sbin/haproxy"), "-db", "-f", own / "haproxy.cfg"]
