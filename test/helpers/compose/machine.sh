#!/bin/bash
# Runs a script with a `docker` on the PATH that acts on a network, mounts and processes of its own: docker.ts.
#   machine.sh STATE BUN DIRECTORY SCRIPT
set -euo pipefail
export COMPOSE_STATE=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$COMPOSE_STATE/bin"
printf '#!/bin/sh\nexec %s %s/docker.ts "$@"\n' "$2" "$here" > "$COMPOSE_STATE/bin/docker"
chmod +x "$COMPOSE_STATE/bin/docker"
printf '127.0.0.1 localhost\n' > "$COMPOSE_STATE/hosts"
mount --bind "$COMPOSE_STATE/hosts" /etc/hosts
mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns
ip link set lo up
# Otherwise new links forward nothing for 15 seconds.
ip link add br0 type bridge forward_delay 0
ip addr add 172.30.16.1/24 dev br0
ip link set br0 up
cd "$3"
PATH=$COMPOSE_STATE/bin:$PATH bash "$4"
