import type { Command } from 'commander';
import { type RetentionClass, retentionClasses } from './retention-classes.ts';
import { tableOf } from './text.ts';
import { verb } from './verb.ts';

export function registerRetention(program: Command): void {
  const retention = program.command('retention').description('How long data is kept');

  verb<object>(
    retention
      .command('show')
      .description('Show how long each class of data is kept, what deletes it and which setting says so'),
    'reads',
    async (installation) => {
      const { days, notes } = installation.retention;
      const classes = retentionClasses(days);
      return { value: classes, text: tableOf(headings, classes.map(rowOf), ''), ...(notes ? { notes } : {}) };
    },
  );
}

const headings = ['DATA', 'DAYS', 'ENDED BY', 'SETTING'];

const rowOf = ({ data, days, ends, setting }: RetentionClass): string[] => [
  data,
  days === null ? 'kept' : String(days),
  ends,
  setting ?? (days === null ? '' : 'fixed'),
];
