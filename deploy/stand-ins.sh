#!/usr/bin/env bash
# For a machine with a container engine and no container registry: images of the names that docker-compose.yml gives,
# made from Debian's packages, Node's npm packages and FerretDB. They are for trying the deployment, not for running it:
#   deploy/stand-ins.sh && docker-compose -f docker-compose.yml -f deploy/stand-in.override.yml up
# Debian, as root, with debootstrap, after `npm ci`. One image with all programs gets all names.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

debootstrap --variant=minbase --include=ca-certificates,redis-server,nats-server bookworm "$root" >"$work/log" 2>&1 ||
  { tail -n 5 "$work/log" >&2; exit 1; }
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
# A machine behind a proxy may trust more than Debian does, and so must what is built here.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

npm install --prefix "$work/npm" --no-audit --no-fund --loglevel=error npm@11 >&2
mkdir -p "$root/usr/local/lib/node_modules" "$root/data/db"
cp -r "$work/npm/node_modules/npm" "$root/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp -L node_modules/node/bin/node "$root/usr/local/bin/node"
cp "$(node scripts/ferretdb.mjs)" "$root/usr/local/bin/ferretdb"
chroot "$root" useradd --uid 1000 --user-group --create-home node

image=hearth/stand-in
tar -C "$root" -c . | docker import \
  --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' \
  --change 'LABEL hearth.stand-in=true' --change 'CMD ["node"]' - "$image" >/dev/null
for name in node:24-bookworm-slim nats:2.11-alpine redis:7.2-bookworm mongo:8.0; do
  docker tag "$image" "$name"
  echo "$name"
done
