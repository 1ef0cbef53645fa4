#!/usr/bin/env bash
# Fails unless the service of process 1 takes requests: the image's health check.
# Takes another file than /proc/1/cmdline for a try elsewhere. It asks GET /healthz itself, since another process of Deno would take 40 MB each
# time, and an HTTP client would follow the proxy variables.
set -euo pipefail

port=${PORT:-8000}
host=${HOST:-0.0.0.0}
mapfile -d '' -t words <"${1:-/proc/1/cmdline}"
for i in "${!words[@]}"; do
  case ${words[i]} in
    --port=*) port=${words[i]#*=} ;;
    --port) port=${words[i + 1]} ;;
    --host=*) host=${words[i]#*=} ;;
    --host) host=${words[i + 1]} ;;
    mcp) exit 0 ;; # It listens on no port.
  esac
done

host=${host#[}
host=${host%]}
case $host in
  0.0.0.0) host=127.0.0.1 ;;
  ::) host=::1 ;;
esac

exec 3<>"/dev/tcp/$host/$port"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 2 _ status _ <&3
[[ $status == 200 ]]
