/** The help of the terminal. */

/** The help of the whole program. */
export const OVERVIEW = `Developer Utilities Service, in the terminal

Usage: devutils COMMAND [OPTIONS]
Example: printf %s abc | devutils hash sha256

  base64      Encode bytes as Base64, or decode it
  hash        Hash bytes
  uuid        Generate version 4 UUIDs
  password    Generate a password
  json        Format, minify or validate JSON
  serve       Serve over HTTP, as devutils without a command does
  mcp         Serve tools to a local agent, over standard input and output
  --version   Print the version
  -h, --help  Print this, or behind a command its options
`;

/** The help of each command; `COMMON_HELP` follows it. */
export const HELP: Readonly<Record<string, string>> = {
  base64: `Encode bytes as Base64, or decode it

Usage: devutils base64 ACTION [OPTIONS] < INPUT
Example: printf %s héllo | devutils base64 encode

  ACTION                  encode or decode
  INPUT                   The bytes to encode, or the Base64 text to decode
                          (standard input, 250 MB at most)
  --variant standard|url  For encode: standard (default) is the standard
                          alphabet with padding, url the URL-safe one without
`,
  hash: `Hash bytes

Usage: devutils hash ALGORITHM [OPTIONS] < INPUT
Example: printf %s abc | devutils hash sha256

  ALGORITHM               sha1, sha256 or sha512
  INPUT                   The bytes to hash (standard input, in any amount)
  --check RESULT          Fail, with status 1, unless this is the result
`,
  uuid: `Generate version 4 UUIDs

Usage: devutils uuid [OPTIONS]
Example: devutils uuid --count 2

  --count NUMBER          Number of UUIDs (1 to 100)
`,
  password: `Generate a password

Usage: devutils password [OPTIONS]
Example: devutils password --length 20 --no-symbols --no-ambiguous

  --length NUMBER         Length in characters (1 to 128, default 16)
  --[no-]uppercase        Draw from A to Z (default true)
  --[no-]lowercase        Draw from a to z (default true)
  --[no-]numbers          Draw from 0 to 9 (default true)
  --[no-]symbols          Draw from !#$%&()*+,-./:;<=>?@[]^_{|}~ (default true)
  --[no-]ambiguous        Allow the look-alikes 0O1Il5S (default true)
`,
  json: `Format, minify or validate JSON

Usage: devutils json ACTION [OPTIONS] < INPUT
Example: printf %s '{"b":1.0,"a":[]}' | devutils json format --indent 4

  ACTION                  format, minify or validate
  INPUT                   The JSON text (standard input, 250 MB at most)
  --indent 2|4            For format: spaces for each level of nesting
                          (default 2)
`,
};

/** The options that every command has. */
export const COMMON_HELP =
  `  --json                  Print the JSON object of the API
  -h, --help              Print this
`;
