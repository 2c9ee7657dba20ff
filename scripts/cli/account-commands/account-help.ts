export const accountHelp = `Usage: n8n-nodes-enmeshed account <export|import|verify|problems|retry|discard|reconcile> [options]

Moves an account to another store, backs it up into an encrypted file, and restores it.

  account export --to <file>        a BACKUP: the account stays in use where it is
  account export --to <store>       a MOVE: the account is in the other store afterwards,
                                    and can no longer be opened in its former store
  account export --to <file> --retire
                                    a MOVE in two steps: it cannot be used until the file is imported
  account import --from <file>      restores an exported file into a store
  account import --from <store>     the same move as 'export --to <store>', run at the destination
  account verify [--from <place>]   verifies a copy completely: records, secrets, keys, login
  account verify --from <place> --to <place>
                                    compares two copies
  account problems --backbone <url> [<id>...]
                                    lists problems that wait for a person; the account may be in use
  account retry --backbone <url> <id>... | --all
                                    retries problems; nothing is applied or sent twice
  account discard --backbone <url> <id>... | --all
                                    discards problems permanently
                                    All three: [--kind receivedEvent|delivery|sending|unfinishedChange|wait]
                                    [--consumer <name>], for example webhook:crm
  account reconcile --backbone <url> [--full]
                                    compares with the Backbone and fetches objects without an event;
                                    --full: from the beginning. Options as for 'problems'

Stop n8n and every other program that uses the account before you move it; a backup and 'verify' do not
need that. To complete an interrupted move, repeat the command.

Import a backup only if the original account is lost: two copies of one account in use take each
other's messages away. The imported account compares itself with the Backbone at its next sync, and uses
no encryption counter that the lost account may have used.

Places (--from, --to; default: the store of your n8n)
  sqlite                            n8n's own folder: $N8N_USER_FOLDER/.n8n/enmeshed
  sqlite:/absolute/folder           the 'SQLite Folder' of the credential
  postgres://user@host:5432/database[?sslmode=require]
  anything else                     a file

Options
  --account <name>                  account name in the store; default: default
  --to-account <name>               account name at the destination; default: the same
  --offline                         do not verify the copy by a login at the Backbone
  --backbone <url>                  replaces the address with which the account was created
  --serve, -c, --config <file>      the account of the HTTP gateway, with the secrets and the Backbone that
                                    'serve' is configured with: instead of --from, --account and
                                    --backbone; for 'import' instead of --to and --to-account
  --retire                          see above
  --replace-retired                 import although the account was moved away from here: only if the
                                    destination of that move is permanently lost
  --json                            one line of JSON instead of sentences; the steps before it, with
                                    address and places, stay on the error output
  -h, --help                        this text

Secrets come from the environment or a prompt on the terminal, never from arguments.
  ENMESHED_CLIENT_ID, ENMESHED_CLIENT_SECRET        of the credential
  ENMESHED_PASSPHRASE               'Storage Passphrase' of the store, if it has one
  ENMESHED_TARGET_PASSPHRASE        of the destination; default: the same; empty: none
  ENMESHED_FILE_PASSWORD            of the file, at least 12 characters
  ENMESHED_POSTGRES_PASSWORD, ENMESHED_TARGET_POSTGRES_PASSWORD

An option that a command does not use is refused.

Exit codes: 0 done or waiting, 1 refused, failed or different, 2 wrong use.
`;
