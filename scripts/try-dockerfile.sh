#!/usr/bin/env bash
# Tries the Dockerfile where there is no container engine.
#
#   scripts/try-dockerfile.sh [DIRECTORY]
#
# Reads the Dockerfile of this repository and follows it: each FROM is a fresh copy of a minimal
# Debian bookworm with its Python 3.11, in place of the image python:3.11-slim-bookworm; each COPY
# copies the same files; each RUN is run by /bin/sh in a chroot, as root, with the ENV and WORKDIR
# that hold at that point. At the end the ENTRYPOINT is asked for its --help by the USER, with a
# read-only root file system. An instruction that the script does not know ends it.
#
# What it can't show: the layers of the real base image, the image's size, HEALTHCHECK, networks.
#
# Needs root, Linux and debootstrap, and about 1 GB in DIRECTORY, which keeps the Debian for the next
# run; without one it works in a temporary directory and removes it. The caller's proxy variables,
# PIP_INDEX_URL and certificates are passed on, as a build on this machine would need them.

set -euo pipefail

if [[ "${1-}" == -* ]]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
    exit
fi

repository=$(cd "$(dirname "$0")/.." && pwd)
certificates=/etc/ssl/certs/ca-certificates.crt
if [[ -n "${1-}" ]]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

# The state of the build: the stage's root, its variables as shell exports, its directory, its user.
root='' exports='' workdir='' user='' entrypoint='' stages=0

make_base() {
    if [[ ! -e "$work/base.done" ]]; then
        debootstrap --variant=minbase --include=ca-certificates,python3-venv bookworm "$work/base"
        ln -s /usr/bin/python3 "$work/base/usr/local/bin/python"
        touch "$work/base.done"
    fi
    cp /etc/resolv.conf "$work/base/etc/resolv.conf"
    cp "$certificates" "$work/base$certificates"
}

inside() { # inside COMMAND [read-only]: run it in the stage's root, by its user, with its variables.
    local passed=() name
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL; do
        [[ -z "${!name-}" ]] || passed+=("$name=${!name}")
    done
    # The mounts are seen by this command alone, and go with it.
    # shellcheck disable=SC2016 # The inner shell expands this.
    unshare --mount /bin/sh -euc '
        root=$1 user=$2; shift 2
        mount --bind "$root" "$root"
        mount --rbind /dev "$root/dev"
        if [ "$1" = read-only ]; then
            mount -t tmpfs tmpfs "$root/tmp"
            mount -o remount,bind,ro "$root"
        fi
        shift
        exec chroot --userspec="$user" "$root" /usr/bin/env -i "$@"
    ' inside "$root" "$user" "${2-writable}" "${passed[@]}" PIP_CERT="$certificates" \
        PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin \
        /bin/sh -ec "$exports cd '$workdir'; $1"
}

from() { # from IMAGE [AS NAME]
    stages=$((stages + 1))
    root="$work/${3:-stage-$stages}" exports='' workdir=/ user=0:0 entrypoint=''
    rm -rf "$root"
    cp -a "$work/base" "$root"
}

copy() { # copy [--from=STAGE] SOURCE... TARGET
    local from="$repository" target="${*: -1}" ignored=(--exclude=__pycache__) source
    if [[ "$1" == --from=* ]]; then
        from="$work/${1#--from=}" ignored=()
        shift
    fi
    [[ "$target" == /* ]] || target="$workdir/$target"
    for source in "${@:1:$#-1}"; do
        if [[ -d "$from/$source" ]]; then
            mkdir -p "$root$target"
            tar -C "$from/$source" "${ignored[@]}" -c . | tar -C "$root$target" -x
        else
            cp "$from/$source" "$root$target"
        fi
    done
}

make_base
while read -r name rest <&3; do
    echo "--- $name $rest"
    # shellcheck disable=SC2086 # FROM and COPY are split into words on purpose.
    case $name in
        FROM) from $rest ;;
        COPY) copy $rest ;;
        RUN) inside "$rest" ;;
        ENV | ARG) exports+="export $rest; " ;;
        WORKDIR) workdir=$rest && mkdir -p "$root$rest" ;;
        USER) user=$rest ;;
        ENTRYPOINT) entrypoint=$(tr -d '[],"' <<< "$rest") ;;
        LABEL | EXPOSE | CMD) ;;
        *) echo "try-dockerfile: unknown instruction $name" >&2 && exit 1 ;;
    esac
done 3< <(awk '/^[ \t]*(#|$)/ { next } { line = line $0 } sub(/\\$/, "", line) { next } { print line; line = "" }' \
    "$repository/Dockerfile")

echo "--- as $user, read-only: $entrypoint --help"
inside "$entrypoint --help" read-only
echo "--- every instruction passed"
