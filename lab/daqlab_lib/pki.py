"""A small certificate authority for the lab: one folder with the CA's, the controller's and the switches' files."""
import subprocess
from pathlib import Path

from .errors import LabError

DAYS = "365"
CONFIG = """[req]
distinguished_name = none
[none]
[ca]
basicConstraints = critical,CA:TRUE
[end]
basicConstraints = CA:FALSE
"""
RSA = ["-newkey", "rsa:2048"]
EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]  # quicker to make, and both kinds must work


def ensure(folder):
    """Make CA and controller certificate unless they are there: ca-cert.pem, controller-key.pem, controller-cert.pem."""
    folder = Path(folder).absolute()
    if (folder / "controller-cert.pem").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (folder / "openssl.cnf").write_text(CONFIG)
    _make(folder, folder / "ca", "daqfabric lab CA", ["-extensions", "ca", *RSA])
    _issue(folder, folder / "controller", "controller", RSA)
    return folder


def issue(folder, target, name):
    """Key and certificate of a switch, and the CA's certificate: `ssl-key.pem`, `ssl-cert.pem`, `ssl-ca.pem` in its folder."""
    target.mkdir(parents=True, exist_ok=True)
    _issue(folder, target / "ssl", name, EC)
    (target / "ssl-ca.pem").write_bytes((folder / "ca-cert.pem").read_bytes())


def files_of(target):
    """What `ovs-vsctl set-ssl` takes, or nothing for a switch without TLS."""
    files = [str(target / f"ssl-{name}.pem") for name in ("key", "cert", "ca")]
    return files if Path(files[0]).exists() else []


def _issue(folder, path, name, key):
    _make(folder, path, name, ["-extensions", "end", *key, "-CA", folder / "ca-cert.pem", "-CAkey", folder / "ca-key.pem"])


def _make(folder, path, name, options):
    done = subprocess.run(["openssl", "req", "-x509", "-config", folder / "openssl.cnf", "-nodes", "-days", DAYS,
                           "-subj", f"/CN={name}", "-keyout", f"{path}-key.pem", "-out", f"{path}-cert.pem", *options],
                          text=True, capture_output=True, check=False)
    if done.returncode:
        raise LabError(f"openssl: {done.stderr.strip()}")
