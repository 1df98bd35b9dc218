#!/bin/sh
# Starts a server of PostgreSQL as primary or as standby of its peer.
#   NAME   its name, PEER its peer's
#   FIRST  what it becomes if it has no data and its peer is no primary: primary or standby
# A server without data copies its peer if that is a primary. A former primary does not start beside another one.
set -eu
volume=/var/lib/postgresql/data
export PGDATA="$volume/pgdata"
PGPASSWORD=$(cat /run/secrets/replication-password)
export PGPASSWORD

peer="host=$PEER user=replicator connect_timeout=3"
peer_is_primary() {
  [ "$(psql "$peer dbname=postgres" -Atc 'SELECT NOT pg_is_in_recovery()' 2> /dev/null)" = t ]
}

create_primary() {
  initdb --pgdata="$volume/new" --auth=peer --encoding=UTF8 --locale=C.UTF-8
  # Without the network, until it is complete.
  pg_ctl --pgdata="$volume/new" --wait --silent -o "-c listen_addresses=''" start
  psql --quiet --set=ON_ERROR_STOP=1 --set=petstore="$(cat /run/secrets/database-password)" \
    --set=replicator="$PGPASSWORD" --set=peer="$PEER" <<'SQL'
CREATE ROLE petstore LOGIN PASSWORD :'petstore';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replicator';
CREATE DATABASE petstore OWNER petstore;
ALTER SYSTEM SET synchronous_standby_names = :'peer';
SQL
  pg_ctl --pgdata="$volume/new" --wait --silent stop
  mv "$volume/new" "$PGDATA"
}

copy_peer() {
  pg_basebackup --pgdata="$volume/new" --write-recovery-conf --wal-method=stream --checkpoint=fast \
    --dbname="$peer application_name=$NAME"
  # It waits for no standby when it is promoted: there is none yet.
  echo "synchronous_standby_names = ''" >> "$volume/new/postgresql.auto.conf"
  mv "$volume/new" "$PGDATA"
}

if [ ! -e "$PGDATA" ]; then
  # An interrupted attempt.
  rm -rf "$volume/new"
  if [ "$FIRST" = primary ] && ! peer_is_primary; then
    create_primary
  else
    until copy_peer; do
      rm -rf "$volume/new"
      sleep 1
    done
  fi
elif [ ! -e "$PGDATA/standby.signal" ] && peer_is_primary; then
  echo "$PEER is the primary now. Remove the data of $NAME, so that it becomes the standby." >&2
  exit 1
fi
exec postgres -c config_file=/etc/petstore/postgresql.conf
