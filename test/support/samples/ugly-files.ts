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
];

export const mapText = ({ map }: UglyFile): string | undefined => (map ? JSON.stringify(map) : undefined);
