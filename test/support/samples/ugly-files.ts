import type { FileKind } from '../../../lib/files/kinds.ts';

/** A file as core systems, spreadsheets and gateways produce it, and what becomes of it. */
export type UglyFile = {
  name: string;
  kind: FileKind;
  bytes: Buffer;
  map?: object;
  /** What identifies the subject of each row that is taken. */
  ids: readonly string[];
  rejected?: number;
  /** Kinds of notices with their rows. */
  notices: Record<string, readonly number[]>;
};

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const header = 'account_number,contact.unique_id,product.code,product.type';

/** Relatives of the files below: name, kind, text in UTF-8, ids, notices, rejected rows. */
const relatives: [string, FileKind, string, string[], UglyFile['notices']?, number?][] = [
  ['cut after a delimiter', 'contacts', 'unique_id,city\na,X\nb,', ['a', 'b'], { cut_last_line: [3] }],
  ['cut between CR and LF', 'contacts', 'unique_id\r\na\r\nb\r', ['a', 'b'], { cut_last_line: [3] }],
  ['cut in the first row', 'contacts', 'unique_id,city\na,X', ['a'], { cut_last_line: [2] }],
  ['CR CR CR LF', 'contacts', 'unique_id,city\r\r\r\na,X\r\r\r\n', ['a']],
  ['CR LF after CR', 'contacts', 'unique_id,city\ra,X\r\nb,Y\r\n', ['a', 'b']],
  ['LF CR', 'contacts', 'unique_id,city\n\ra,X\n\rb,Y\n\r', ['\ra', '\rb'], { id_invisible: [2, 3] }],
  [
    'a quoted second header',
    'contacts',
    'unique_id,city\na,X\n"unique_id"," city "\nb,Y\n',
    ['a', 'b'],
    { repeated_header: [3] },
  ],
  ['hyphens of psql', 'contacts', 'unique_id|city\n---------+-----\na|X\n(1 row)\n', ['a'], { hyphens: [2] }, 1],
  ['hyphens in one column', 'contacts', 'unique_id\n---------\na\n', ['a'], { hyphens: [2] }],
  ['a trailer of one cell', 'contacts', 'unique_id\na\n(1 row)\n', ['a', '(1 row)'], { trailer_row: [3] }],
  [
    'a trailer that no map names',
    'accounts',
    `${header}\n1,a,F,loan\nTRAILER,1,F,loan\n`,
    ['1', 'TRAILER'],
    { trailer_row: [3] },
  ],
  [
    'a total',
    'accounts',
    `${header}\n1,a,F,loan\nTotal: 1,,F,loan\n`,
    ['1', 'Total: 1'],
    { empty_id: [3], trailer_row: [3] },
  ],
  [
    'capitals, spaces and a mark',
    'contacts',
    '\ufeff"UNIQUE ID";"E-Mail"\r\n"a";"a@x.org"\r\n',
    ['a'],
    { renamed_columns: [] },
  ],
  ['Turkish capitals', 'contacts', 'UN\u0130QUE_\u0130D,email\na,a@x.org\n', ['a'], { renamed_columns: [] }],
  ['Turkish small letters', 'contacts', 'un\u0131que_\u0131d,email\na,a@x.org\n', ['a'], { renamed_columns: [] }],
  ['0x1A between line ends', 'contacts', 'unique_id,city\na,X\r\n\x1a\r\n\x1a', ['a']],
  ['0x1A and spaces', 'contacts', 'unique_id,city\na,X\n\x1a \t', ['a']],
  ['NUL to the end of a block', 'contacts', `unique_id\na\nb\n${'\0'.repeat(494)}`, ['a', 'b']],
  [
    'words in ids and elsewhere',
    'contacts',
    'unique_id,email,city\n(null),a@x.org,X\nb,b@x.org,N/A\n nil ,,\n',
    ['b'],
    { word_for_nothing: [3] },
    2,
  ],
  ['words in accounts', 'accounts', `${header}\n#N/A,a,F,loan\n2,\\N,F,loan\n3,-,F,loan\n4,d,F,loan\n`, ['4'], {}, 3],
  [
    'ids in other dress',
    'contacts',
    `unique_id\n="007"\n'008\n1.2E+11\n\u00a0x\ny\u200b\n`,
    ['="007"', "'008", '1.2E+11', '\u00a0x', 'y\u200b'],
    { id_formula: [2], id_apostrophe: [3], id_scientific: [4], id_spaces: [5], id_invisible: [6] },
  ],
  [
    'empty ids',
    'contacts',
    'unique_id,email\n,a@x.org\n" ",b@x.org\nc,\n',
    ['a@x.org', ' ', 'c'],
    { empty_id: [2, 3] },
  ],
  ['accounts of nobody', 'accounts', `${header}\n1,,F,loan\n2, ,F,loan\n`, ['1', '2'], { empty_id: [2, 3] }],
  [
    'traces of an encoding',
    'contacts',
    'unique_id,city\na,Caf\u0092\nb\u0092,X\n',
    ['a'],
    { control_characters: [2] },
    1,
  ],
  [
    'dates for none',
    'accounts',
    `${header},opened_date,closed_date\n1,a,F,loan,1909-12-31,\n2,b,F,loan,,1753-01-01\n3,c,F,loan,1910-01-01,9999-12-31\n`,
    ['1', '2', '3'],
    { old_date: [2, 3] },
  ],
  [
    'births of nobody',
    'contacts',
    'unique_id,birthdate\na,1900-01-01\nb,0001-01-01\nc,1905-05-05\n',
    ['a', 'b', 'c'],
    { old_date: [2, 3] },
  ],
  [
    'cells that complete nothing',
    'contacts',
    'unique_id,key\na,03/01/2026\nb,20260301\nc,Yes \nd,no\ne,Done!\nf,2026-03-01\ng,\nh,Wohnort\n',
    [...'abcdefgh'],
    { objective_cell: [2, 3, 6] },
  ],
  [
    'keys with cells that complete nothing',
    'contacts',
    '{"unique_id":"a","Email":"x"}\n{"unique_id":"b","key":"Yes "}\n',
    ['a', 'b'],
    { near_key: [1], objective_cell: [2] },
  ],
  [
    'zip codes without zeros',
    'contacts',
    'unique_id,post_code\na,2110\nb,94110\nc,501-1234\nd,SW1A 1AA\n',
    [...'abcd'],
    { short_post_code: [2, 4] },
  ],
  [
    'a state whose zip codes begin with 0',
    'contacts',
    'unique_id,state,post_code\na,MA,2110\nb,,1010\n',
    ['a', 'b'],
    { short_post_code: [2] },
  ],
  [
    'post codes of three countries',
    'contacts',
    'unique_id,country,post_code\na,AT,1010\nb,DE,10115\nc,DE,1067\nd,US,501\n',
    [...'abcd'],
    { short_post_code: [4, 5] },
  ],
];

export const uglyFiles: readonly UglyFile[] = [
  {
    name: 'cut-last-line',
    kind: 'accounts',
    bytes: latin1(
      'account_number,contact.unique_id,product.code,product.type,balance\n5001,cif-1,FREE,checking,10250.75\n5002,cif-2,FREE,checking,980',
    ),
    ids: ['5001', '5002'],
    notices: { cut_last_line: [3] },
  },
  {
    name: 'cr-cr-lf',
    kind: 'contacts',
    bytes: latin1('email,name_last,unique_id\r\r\na@example.com,Novak,cif-1\r\r\nb@example.com,Lee,cif-2\r\r\n'),
    ids: ['cif-1', 'cif-2'],
    notices: {},
  },
  {
    name: 'two-headers',
    kind: 'contacts',
    bytes: latin1('unique_id,name_first\ncif-1,Ann\n\xef\xbb\xbfunique_id, name_first\ncif-2,Bob\n'),
    ids: ['cif-1', 'cif-2'],
    notices: { repeated_header: [3] },
  },
  {
    name: 'mapping-two-headers',
    kind: 'accounts',
    bytes: latin1('account_number,contact.unique_id\n9001,cif-1\naccount_number,contact.unique_id\n9002,cif-2\n'),
    ids: ['9001', '9002'],
    notices: { repeated_header: [3] },
  },
  {
    name: 'hyphens',
    kind: 'contacts',
    bytes: latin1('unique_id,name_first,email\n---------,----------,-----\ncif-1,Ann,a@example.com\n'),
    ids: ['cif-1'],
    notices: { hyphens: [2] },
  },
  {
    name: 'windows-1252',
    kind: 'contacts',
    bytes: latin1('unique_id,name_last,city\ncif-1,O\x92Brien,Wien \x80\ncif-2,Ren\xe9,Paris\ncif-3,Lee,Rome\n'),
    ids: ['cif-3'],
    rejected: 2,
    notices: {},
  },
  {
    name: 'cr-rows-last-lf',
    kind: 'contacts',
    bytes: latin1('unique_id,email\rc-3,c@example.com\rc-4,d@example.com\n'),
    ids: ['c-3', 'c-4'],
    notices: {},
  },
  {
    name: 'header-in-capitals',
    kind: 'contacts',
    bytes: latin1('Unique_ID,email,name_first\ncif-20,d@example.com,Dan\ncif-21,e@example.com,Eve\n'),
    ids: ['cif-20', 'cif-21'],
    notices: { renamed_columns: [] },
  },
  {
    name: 'us-core-extract',
    kind: 'accounts',
    bytes: latin1(
      'ACCOUNT_NUMBER,CONTACT.UNIQUE_ID,PRODUCT.CODE,PRODUCT.TYPE,OPENED_DATE,BALANCE\n7001,cif-1,FREE,checking,11/27/2026,"1,204.50"\n7002,cif-2,FREE,checking,11/28/2026,$10.00\n7003,cif-3,FREE,checking,11/28/2026,(25.00)\n7004,cif-4,FREE,checking,11/28/2026,10-\nTRAILER,4,,,,\n',
    ),
    map: { _dates: 'MM/DD/YYYY', _numbers: '1,234.50', _trailer: { prefix: 'TRAILER', count: 2 } },
    ids: ['7001', '7002', '7003', '7004'],
    notices: { renamed_columns: [] },
  },
  {
    name: 'null-words',
    kind: 'contacts',
    bytes: latin1('name_first,email\nAnn,NULL\nBob,NULL\nCyd,#N/A\nDan,d@example.com\n'),
    ids: ['d@example.com'],
    rejected: 3,
    notices: {},
  },
  {
    name: 'end-of-file-mark',
    kind: 'contacts',
    bytes: latin1('unique_id,city\nc-1,Bonn\nc-2,Rome\n\x1a'),
    ids: ['c-1', 'c-2'],
    notices: {},
  },
  {
    name: 'dressed-ids',
    kind: 'accounts',
    bytes: Buffer.from(
      'account_number,contact.unique_id,product.code,product.type\n8001,1001.0,FREE,checking\n8002,"cif-1   ",FREE,checking\n8003,\u00a0 cif-2,FREE,checking\n',
    ),
    ids: ['8001', '8002', '8003'],
    notices: { id_decimal: [2], id_spaces: [3, 4] },
  },
  ...relatives.map(([name, kind, text, ids, notices = {}, rejected = 0]): UglyFile => {
    return { name, kind, bytes: Buffer.from(text), ids, notices, rejected };
  }),
];

export const mapText = ({ map }: UglyFile): string | undefined => (map ? JSON.stringify(map) : undefined);
