"""What the documents need of `redis-cli`, where there is none.

`redis-cli [-e] [-u URL | -s SOCKET] WORD...`: send one command, print its answer.  With `-e`
an error is a failure.  It imports little, since the documents call it often.
"""

import socket
import sys


def main() -> None:
    """Do as the arguments say."""
    words = sys.argv[1:]
    strict = words[0] == "-e"
    option, where, *command = words[strict:]
    assert option in ("-u", "-s")
    try:
        answer = ask(where.removeprefix("unix://"), command)
    except OSError as error:
        answer = f"-{error}"
    print(answer.removeprefix("-"))
    sys.exit(strict and answer.startswith("-"))


def ask(path: str, command: list[str]) -> str:
    """The answer to a command; one that is an error begins with a dash.

    Raises:
        OSError: there is none.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        parts = "".join(f"${len(word.encode())}\r\n{word}\r\n" for word in command)
        connection.sendall(f"*{len(command)}\r\n{parts}".encode())
        with connection.makefile("rb") as answers:
            head = answers.readline().decode().rstrip()
            return answers.read(int(head[1:])).decode() if head.startswith("$") else head


if __name__ == "__main__":
    main()
