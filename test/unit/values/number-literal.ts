import fc from 'fast-check';

/** Numbers in every form of the JSON grammar. */
export const numberLiteral = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat({ max: 999 }).map(String), fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)),
    fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^[0-9]{1,20}$/).map((digits) => `.${digits}`),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat({ max: 200 })).map(([sign, power]) => `${sign}${power}`),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => Number.isFinite(Number(text)));
