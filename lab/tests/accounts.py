"""Users of controllers: made, changed and deleted by OpenDaylight's /auth/v1 as docs/how-to/access.md says, and tried."""
import base64
import json
import urllib.error
import urllib.request

PAGE = "/daqfabric/"  # neither of the two asks the datastore, which a member alone cannot
METRICS = "/metrics/"
PATIENCE = 20  # seconds for one request


def status(member, user, password, path=PAGE):
    """What a member answers to that login; 0 without an answer."""
    client = member.client(path="")
    login = base64.b64encode(f"{user}:{password}".encode()).decode()
    request = urllib.request.Request(client.base + path, headers={"Authorization": "Basic " + login})
    try:
        with client.open(request, PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def served(member):
    """Whether users can be asked about and changed, which at a start comes after the page."""
    try:
        _ask(member, "GET", "/users")
    except (AssertionError, OSError):
        return False
    return True


def make(member, user, password):
    _ask(member, "POST", "/users", {"name": user, "password": password, "domainid": "sdn"})


def set_password(member, user, password):
    _ask(member, "PUT", f"/users/{user}@sdn", {"password": password})


def give(member, user, role):
    _ask(member, "POST", f"/domains/sdn/users/{user}@sdn/roles", {"roleid": f"{role}@sdn"})


def take(member, user, role):
    _ask(member, "DELETE", f"/domains/sdn/users/{user}@sdn/roles/{role}@sdn")


def delete(member, user):
    _ask(member, "DELETE", f"/users/{user}@sdn")


def _ask(member, method, path, document=None):
    client = member.client(path="/auth/v1")
    request = client.request(method, path, "*/*", document)
    request.add_header("Content-Type", "application/json")
    try:
        with client.open(request, PATIENCE):
            pass
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {path} of member {member.number}: {error.code} {json.dumps(document)}") from error
