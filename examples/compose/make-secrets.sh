#!/bin/sh
# Creates the secrets of compose.yaml, once. Keep a copy of secrets/encryption-key elsewhere: without it no API key works.
set -eu
cd "$(dirname "$0")"
# Others cannot enter the directory; in the containers, each service's user must be able to read its files.
mkdir -m 700 secrets
umask 022
database=$(openssl rand -hex 24)
valkey=$(openssl rand -hex 24)
openssl rand -base64 32 > secrets/encryption-key
openssl rand -hex 24 > secrets/replication-password
echo "$database" > secrets/database-password
# Both servers: the nodes use the one that accepts writes.
echo "postgres://petstore:$database@db1:5432,db2:5432/petstore" > secrets/database-url
echo "redis://petstore:$valkey@valkey:6379" > secrets/redis-url
{
  echo "user default off"
  echo "user petstore on >$valkey ~petstore:* +eval +evalsha +mget +set +time +role +info +select"
} > secrets/valkey.acl
