/** The logo or name above the heading. The height of a logo is fixed, so that nothing moves when it has loaded. */
const source = `
.brand{margin:0;font-size:.82rem;font-weight:600;letter-spacing:.045em;color:var(--soft)}
.brand+h1{margin-top:.15rem}
.logo{height:2.25rem;width:auto;max-width:min(14rem,60vw);object-fit:contain}
.brand:has(.logo)+h1{margin-top:.5rem}
.notice .brand+h1{margin-top:1rem}
`;

export const brandCss = source.replaceAll('\n', '');
