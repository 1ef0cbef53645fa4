# Sets `version` and `day` of a release, writes its notes to dist/notes.md, and changes to
# the folder of the repository. Argument: the tag, such as v1.2.3, which must match the
# version in deno.json and a section of CHANGELOG.md. Needs jq.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=$(jq --raw-output .version deno.json)
if [[ $1 != "v$version" ]]; then
  echo "the tag is $1, but the version in deno.json is $version" >&2
  exit 1
fi
mkdir --parents dist
awk -v version="$version" '/^## /{ on = $2 == version && $3 ~ /^\([0-9-]+\)$/; next } on' \
  CHANGELOG.md >dist/notes.md
if [[ ! -s dist/notes.md ]]; then
  echo "CHANGELOG.md has no section \"## $version (YYYY-MM-DD)\"" >&2
  exit 1
fi
day=$(grep --max-count=1 --only-matching "^## $version (.*)" CHANGELOG.md | tr -d '()')
day=${day##* }
