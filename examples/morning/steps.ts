/** The steps of the morning, as data: the script runs them, and a test compares them with docs/morning.md. */
export type Step = {
  heading: string;
  text: string;
  /** Commands for bash, with the functions of `prelude`. `TEAM` and `BOX` are set. */
  commands: readonly string[];
};

/** The functions that the commands use. `admin` is that of docs/runbook.md for the local service. */
export const prelude = `admin() { npm run --silent admin -- "$@"; }
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
batch_of() { admin drop show "$1" --json | field batch_id; }`;

export const evening: Step = {
  heading: 'The evening before',
  text: 'A team must drop its accounts every day. The operator says so once. During the night, two files are dropped, and a chunk fails.',
  commands: ['admin drop expect --team "$TEAM" --type accounts --by "$HOUR"'],
};

export const morning: readonly Step[] = [
  {
    heading: 'A file is missing',
    text: 'The alarm [files_missing](runbook.md#files_missing) is on. The list of expected files says which file it is. It is not in the list of dropped files, so the operator looks into the bucket: the file is in a folder with a wrong name, and the report beside it says so. It is moved to the right folder and read.',
    commands: [
      'admin drop expected --team "$TEAM"',
      'admin drop list --team "$TEAM"',
      'find "$BOX" -name "nightly*" -printf "%P\\n" | sort',
      'field reason < "$BOX/acounts-team/accounts/nightly.csv.report.json"',
      'mkdir -p "$BOX/$TEAM/accounts" && mv "$BOX/acounts-team/accounts/nightly.csv" "$BOX/$TEAM/accounts/"',
      'admin drop show "$TEAM/accounts/nightly.csv" --watch',
      'admin drop expected --team "$TEAM"',
    ],
  },
  {
    heading: 'A third of the rows of a file are bad',
    text: 'The file of contacts is `done`, but a third of its rows were rejected. The report counts them, and the file beside it names the line, the column and the reason of each. The sender fixes the rows in that file and drops it under a new name.',
    commands: [
      'admin drop show "$TEAM/contacts/people.csv"',
      'head -4 "$BOX/$TEAM/contacts/people.csv.rejected.csv"',
      'sed "s/30.2.1980/1980-02-29/" "$BOX/$TEAM/contacts/people.csv.rejected.csv" > "$BOX/$TEAM/contacts/people-fixed.csv"',
      'admin drop show "$TEAM/contacts/people-fixed.csv" --watch',
    ],
  },
  {
    heading: 'A chunk is failed',
    text: 'The alarm [chunks_failed](runbook.md#chunks_failed) is on. The list says which chunk and why, and the log of the import worker names the error: a stored account cannot be read. When the cause is fixed, the chunk is redriven. (Here the failure is a [drill](runbook.md#practise), and `drill cure` fixes the cause.)',
    commands: [
      'admin failed list',
      'admin drill cure --team "$TEAM"',
      'admin failed redrive --all --team "$TEAM"',
      'admin batch list --team "$TEAM" --watch',
      'admin failed list',
    ],
  },
  {
    heading: 'A wrong file is cancelled',
    text: 'The sender calls: the large file that is being read is the wrong one. The operator finds its batch and cancels it. What was applied stays, the rest is not read.',
    commands: [
      'admin drop list --team "$TEAM" --limit 1',
      'admin batch cancel "$(batch_of "$TEAM/accounts/wrong.csv")" --team "$TEAM" --yes',
      'admin drop show "$TEAM/accounts/wrong.csv" --watch',
    ],
  },
  {
    heading: 'A person is erased',
    text: 'A person wants to know what is stored, and then to be forgotten ([export and erase](contacts-and-identity.md#export-and-erase-a-person)). The dropped files are rewritten too. A second run finds nothing.',
    commands: [
      'admin contact export --team "$TEAM" --unique-id person-1',
      'admin contact erase --team "$TEAM" --unique-id person-1 --yes',
      'admin contact erase --team "$TEAM" --unique-id person-1 --yes',
      'grep -rlw person-1 "$BOX" | wc -l',
    ],
  },
  {
    heading: 'The auditor asks who did that',
    text: 'Who cancelled an import this morning, and who erased a person? The [audit log](security.md#the-audit-log) has two entries of each act, its beginning and its outcome, with the user and the ids, and no personal data. Which credentials does the team have, and are they used?',
    commands: [
      'admin audit list --team "$TEAM" --what "batch cancel"',
      'admin audit list --team "$TEAM" --what "contact erase"',
      'admin client list --team "$TEAM"',
    ],
  },
];
