#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, unless they are there: sh deploy/compose/make-secrets.sh verify.example
# The certificate is self-signed. Replace tls_certificate and tls_key before others use the service.
set -eu
umask 077
name=${1:?"Use: sh deploy/compose/make-secrets.sh NAME, the name under which browsers reach the service"}
folder=${2:-secrets}
mkdir -p "$folder"
cd "$folder"

# Never replaces a file: without the secret keys, personal data cannot be read any more.
make() {
  file=$1
  shift
  if [ -e "$file" ]; then return; fi
  "$@" >"$file.new"
  mv "$file.new" "$file"
}

make secret_keys openssl rand -base64 32
make postgres_password openssl rand -hex 24
make database_url printf 'postgres://countersign:%s@postgres:5432/countersign\n' "$(cat postgres_password)"
if [ ! -e tls_key ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -keyout tls_key.new -out tls_certificate 2>/dev/null
  mv tls_key.new tls_key
fi

# The folder is closed to others. The servers in the containers have a user of their own, 10001, and read the files.
chmod 0700 .
chmod 0444 ./*
