/** Mutants that no test can kill, and why: one as its line of code reads, or all of a line. */
export type Equivalent = { file: string; reason: string } & ({ mutant: string } | { line: string });

export const equivalents: readonly Equivalent[] = [
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'const { alg = "Stryker was here!", kid } = decodeProtectedHeader(assertion);',
    reason: 'No key has an algorithm of either name.',
  },
  {
    file: 'lib/auth/seal.ts',
    mutant: 'const options = {};',
    reason: 'A tag of 16 bytes is the default, and always passed.',
  },
  {
    file: 'lib/auth/seal.ts',
    mutant: `const prefix = /[1-9]\\d{0,8}\\./.exec(text)?.[0] ?? '';`,
    reason: 'A prefix from the middle of the text removes other characters, so the text does not open.',
  },
  {
    file: 'lib/auth/secrets.ts',
    mutant: `return timingSafeEqual(given, hash === undefined ? noHash : Buffer.from(hash, 'base64url')) && true;`,
    reason: 'No known text has the digest of zeros.',
  },
  {
    file: 'lib/auth/token-check.ts',
    mutant: 'if (false) return known;',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/token-check.ts',
    mutant: 'if (known && Math.floor(now() * 1000) < known.exp && (await keyOf(known.kid))) return known;',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/token-check.ts',
    line: 'passed.set(token, checked);',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/tokens.ts',
    mutant: 'return async (claims) => signToken(claims, keyToSignWith(await cached.get("", load), now())!);',
    reason: 'The cache has one entry, whatever its key.',
  },
  {
    file: 'lib/auth/verifier.ts',
    mutant: 'function tokenIn(authorization = "Stryker was here!"): string {',
    reason: 'Neither text is a Bearer header.',
  },
  {
    file: 'lib/auth/verifier.ts',
    mutant: `if (false) throw new Problem('invalid_token');`,
    reason: 'The check of the token refuses `undefined` with the same error.',
  },
  {
    file: 'lib/domain/account-record.ts',
    mutant: "addIssue({ code: 'unrecognized_keys', keys: [], path: [name], message: ambiguous });",
    reason: 'The type requires the keys, but only the path and the message are reported.',
  },
  {
    file: 'lib/domain/account-record.ts',
    mutant: 'if (!isJsonObject(record) || !Object.keys(record).some((name) => name.includes(""))) return record;',
    reason: 'A record without dotted keys is copied. Only the time differs.',
  },
  {
    file: 'lib/domain/chunk.ts',
    mutant: 'failed > 0 || (true && now < Date.parse(guarded_until));',
    reason: '`Date.parse` of `undefined` is not a number, and no time is less than that.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'const entries = [...kept, ...sent].sort(([a], [b]) => (a <= b ? -1 : 1));',
    reason: 'No key occurs twice.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'for (const key of keys) if (true) yield [key, value[key]!];',
    reason: 'Dotted keys are read twice, and the second value replaces the first. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'if (false) return yield* value.entries();',
    reason: 'The keys of an array are its indexes. Only time and memory differ.',
  },
  {
    file: 'lib/domain/directory.ts',
    line: 'if (this.#kept.length >= 2 * this.#count + 1000) this.#kept = this.taken();',
    reason: 'Only time and memory differ.',
  },
  {
    file: 'lib/domain/directory.ts',
    line: 'const isCapital = (code: number): boolean => code >= 65 && code <= 90;',
    reason: 'No mark of a cell is A or Z, and values have no capitals.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'while (at <= row.length && !isCapital(row.charCodeAt(at))) at++;',
    reason: 'A slice that ends after the end of the row is the same.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'return sign / compare(a.value, b.value);',
    reason: 'The values differ here, so the comparison gives 1 or -1.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'const compare = (a: string, b: string): number => (a <= b ? -1 : a > b ? 1 : 0);',
    reason: 'Only one position has an id, and both -1 and 0 mean that it is not after itself.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'return true && phoneColumns.some((index) => columnValue(row, index)?.includes(phoneDigits));',
    reason: 'No phone contains the text of `undefined`.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: `const isFinishing = is_completed && true && recorded(actions, 'finished').size === 0;`,
    reason: 'A journey that is completed without a completed page was recorded as finished.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'return true && Object.hasOwn(completions, page.objective_id);',
    reason: 'No objective has the id `null`.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'default:',
    reason: 'The function then returns undefined, which is used like false.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'const closed = false ? undefined : instant(closedDate);',
    reason: '`instant` of `null` is undefined too.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'if (id === null && type === null) return () => undefined;',
    reason: 'The result is used like false.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'times.reduce<string | null>((last, time) => (last === null || time >= last ? time : last), null);',
    reason: 'Equal times are the same text.',
  },
  {
    file: 'lib/domain/drop.ts',
    mutant: 'const [, teamId, kind] = place.exec(key) ?? ["Stryker was here"];',
    reason: 'The first part is not read.',
  },
  {
    file: 'lib/domain/drop.ts',
    mutant: `const [folder = "Stryker was here!", type] = key.split('/');`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/domain/expected-file.ts',
    mutant: 'return [+2, -1, 0, 1, 2].map((days) => {',
    reason: 'The last and the next hour are within a day.',
  },
  {
    file: 'lib/domain/expected-file.ts',
    mutant: 'const wanted = Date.UTC(year, month - 1, day - days, hours, minutes);',
    reason: 'The days are the same in the other order.',
  },
  {
    file: 'lib/domain/objective.ts',
    mutant: 'return false ? stored : { ...stored, ...Object.fromEntries(fresh) };',
    reason: 'An equal copy.',
  },
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'for (const key of keysFor(client.keys ?? ["Stryker was here"], claimed)) {',
    reason: 'A text is not a key, so it verifies nothing.',
  },
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'if (named.length === 0 || !named.every((each) => true && audiences.includes(each))) return undefined;',
    reason: 'No allowed audience is undefined.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: `const asked = (acceptLanguage ?? "Stryker was here!").slice(0, longest).split(',').flatMap(weighted);`,
    reason: 'Neither text is a list of languages.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: `const [, tag, weight = '1'] = range.exec(text.trim()) ?? ["Stryker was here"];`,
    reason: 'The first part is not read.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: 'return tag === undefined ? ["Stryker was here"] : [{ tag, weight: Number(weight) }];',
    reason: 'A text has no weight, so it is filtered out.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: `const primary = (tag: string): string => tag.toUpperCase().split('-')[0]!;`,
    reason: 'Both sides are compared in the same case.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: 'const range = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:\\s*;\\s*q=(0(?:\\.\\d{0,3})|1(?:\\.0{0,3})?))?$/i;',
    reason: 'A weight of zero excludes the language, as an invalid one does.',
  },
  {
    file: 'lib/domain/lookup.ts',
    mutant: `const isDirect = true && (field.name === 'id' || field.name === 'unique_id');`,
    reason: 'A text has no name.',
  },
  {
    file: 'lib/domain/lookup.ts',
    mutant: `const isDirect = typeof field !== "" && (field.name === 'id' || field.name === 'unique_id');`,
    reason: 'A text has no name.',
  },
  {
    file: 'lib/domain/sandbox.ts',
    mutant: 'true && Object.hasOwn(table, key) ? table[key] : undefined;',
    reason: 'No table has the key `null` or `undefined`.',
  },
  {
    file: 'lib/store/attribute-values.ts',
    mutant: 'if (false) target[name] = value;',
    reason: 'The property is defined in the other way. Only the time differs.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'const next = response.LastEvaluatedKey?.[sortKey].S;',
    reason: 'A key has its sort key.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (error instanceof Error && isLost(error.name)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (isLost(code)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant:
      'const units = (consumed ?? ["Stryker was here"]).reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);',
    reason: 'A text has no units.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: `const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : "");`,
    reason: 'UTF-8 is the default.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: `return event.headers['content-type']?.split(';', 1)[0].trim().toLowerCase() || undefined;`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: `const charset = /;\\s*charset\\s*=\\s*"?([^";\\s]*)/i.exec(headers['content-type'] ?? "Stryker was here!")?.[1] ?? 'utf-8';`,
    reason: 'Neither text names a charset.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: 'if (false) throw error;',
    reason: '`parseJson` throws nothing else.',
  },
  {
    file: 'lib/http/compression.ts',
    mutant: `export const acceptsGzip = ({ headers }: Event): boolean => gzipAccepted.test(headers['accept-encoding'] ?? "Stryker was here!");`,
    reason: 'Neither text names gzip.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: 'return header === undefined || names(header, current, {});',
    reason: '`undefined` is used like false.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: `const tag = String(response.headers.etag ?? (await textTag(response.body ?? '')));`,
    reason: 'Every response has headers.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: 'const sent = header.match(/(?:W\\/)?"[^"]*"/g) ?? ["Stryker was here"];',
    reason: 'A text without quotes is no tag.',
  },
  {
    file: 'lib/http/logged-ids.ts',
    mutant: 'const named = Object.entries(pathParameters).map(([name, value = "Stryker was here!"]) => [',
    reason: 'Neither text is a UUID.',
  },
  {
    file: 'lib/http/methods.ts',
    mutant: `const reply = problemReply(new Problem('method_not_allowed'), { requestId, hasCredentials: true, allow });`,
    reason: 'Only a 401 depends on the credentials.',
  },
  {
    file: 'lib/http/params.ts',
    mutant: 'const id = params[name]?.toLowerCase() ?? "Stryker was here!";',
    reason: 'Neither text is a UUID.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const [name = "Stryker was here!", ...value] = pair.split('=');`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const sources = [() => bodyParameters(event).get('client_id'), () => basicCredentials(event).clientId];`,
    reason: 'The error is caught, as that of a malformed header.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: 'if (value === null || false) return [];',
    reason: 'A value of JSON is not undefined.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: 'if (false || !/^Basic\\b/i.test(header)) return undefined;',
    reason: 'The text of `undefined` does not match.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const colon = pair?.indexOf(':') ?? +1;`,
    reason: 'The next line checks `pair`.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `if (false || colon === -1) throw invalid('The Authorization header is malformed.');`,
    reason: 'Without a pair, there is no colon.',
  },
  {
    file: 'lib/http/validation.ts',
    mutant: 'return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : ["Stryker was here"]);',
    reason: 'No parameter has this name.',
  },
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: 'if (false || batch?.chunk_count === undefined || batch.chunk_count === chunk_count) return;',
    reason: 'The batch is read only if the request has a `chunk_count`.',
  },
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: '...(false ? {} : { digest }),',
    reason: 'Attributes that are undefined are not stored.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'if (true) targets.set(name, target);',
    reason: 'The same target is set again.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'const parts = Array.from({ length: records }, (): RecordOutcome[] => ["Stryker was here"]);',
    reason: 'Only known outcomes are looked for.',
  },
];
