import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { pointer } from '../../../lib/domain/values/problem.ts';

export const checking = { code: 'FREE', type: 'checking' };
export const owner = { unique_id: 'c1' };

export const parse = (record: unknown) => accountRecord.parse(record);
export const parseText = (text: string) => accountRecord.parse(parseJson(text));
export const faults = (record: unknown) =>
  accountRecord.safeParse(record).error?.issues.map(({ path, message }) => `${pointer(path)} ${message}`) ?? [];
export const pathsOf = (record: unknown) =>
  accountRecord.safeParse(record).error?.issues.map(({ path }) => pointer(path)) ?? [];
