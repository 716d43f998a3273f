// Runs after `npm ci`, so it must run on any version of Node.
const { existsSync, rmSync, symlinkSync } = require('node:fs');

const platform = `${process.platform}-${process.arch}`;
const link = 'node_modules/.bin/node';

// npm 10 deletes the link together with those of the packages for other platforms.
if (!existsSync(link) && existsSync(`node_modules/node-${platform}/bin/node`)) {
  rmSync(link, { force: true });
  symlinkSync(`../node-${platform}/bin/node`, link);
}
if (!existsSync(link) && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This project needs Node 24, which it does not install on ${platform}. Install it from https://nodejs.org and run \`npm ci\` again.`,
  );
}
