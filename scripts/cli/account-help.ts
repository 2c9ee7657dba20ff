export const accountHelp = `Usage: n8n-nodes-enmeshed account <export|import|verify|problems|retry|discard|reconcile> [options]

Moves an account to another store, backs it up into an encrypted file, and brings it back.

  account export --to <file>        a BACKUP: the account goes on living where it is
  account export --to <store>       a MOVE: the account lives in the other store afterwards,
                                    and its former store refuses to be opened
  account export --to <file> --retire
                                    a MOVE in two steps: it lives nowhere until the file is imported
  account import --from <file>      brings an exported file to life in a store
  account import --from <store>     the same move as 'export --to <store>', seen from the other end
  account verify [--from <place>]   reads a copy to its end: records, secrets, keys, login
  account verify --from <place> --to <place>
                                    compares two copies
  account problems --backbone <url> [<id>...]
                                    lists what failed and waits for a person, while the account is in use
  account retry --backbone <url> <id>... | --all
                                    tries it once more; nothing is applied or sent twice
  account discard --backbone <url> <id>... | --all
                                    gives it up for good
                                    All three: [--kind receivedEvent|delivery|sending|unfinishedChange]
                                    [--consumer <name>], for example webhook:crm; and instead of
                                    --backbone, for the account of 'serve': --serve or --config <file>
  account reconcile --backbone <url> [--full]
                                    compares with the Backbone and fetches what it never announced;
                                    --full: from the beginning. Places as for 'problems'

Stop n8n and every other program that uses the account before you move it; a backup and 'verify' do not
need that. A move that was interrupted is completed by the same command.

Import a backup only when the account it was made of is lost: two living copies of one account take each
other's messages away. The imported account compares itself with the Backbone at its next sync, and uses
no encryption counter again that the lost one may have used.

Places (--from, --to; the one of your n8n is the default where none is given)
  sqlite                            n8n's own folder: $N8N_USER_FOLDER/.n8n/enmeshed
  sqlite:/absolute/folder           the 'SQLite Folder' of the credential
  postgres://user@host:5432/database[?sslmode=require]
  anything else                     a file

Options
  --account <name>                  account name in the store; default: default
  --to-account <name>               account name at the other end; default: the same
  --offline                         do not log in at the Backbone to prove the copy
  --backbone <url>                  another address than the one the account was created with
  --serve, -c, --config <file>      the account of the HTTP gateway, as 'serve' is configured
  --retire                          see above
  --replace-retired                 import although the account was moved away from here: only when the
                                    place it was moved to is lost for good
  --json                            one line of JSON instead of sentences

Secrets come from the environment, or are asked for on a terminal; never as arguments.
  ENMESHED_CLIENT_ID, ENMESHED_CLIENT_SECRET        of the credential
  ENMESHED_PASSPHRASE               'Storage Passphrase' of the store, where there is one
  ENMESHED_TARGET_PASSPHRASE        of the store that is copied to; default: the same; empty: none
  ENMESHED_FILE_PASSWORD            of the file, at least 12 characters
  ENMESHED_POSTGRES_PASSWORD, ENMESHED_TARGET_POSTGRES_PASSWORD

Exit codes: 0 done or waiting, 1 refused, failed or different, 2 wrong use.
`;
