import type { SettingsInput } from './settings.ts';

/**
 * The values of your institution for each stage (`npx cdk deploy -c stage=<name>`). `infra/settings.ts` defines the
 * settings and their defaults, `docs/deployment.md` explains them. Replace the account, the domain, the certificates
 * and the addresses of `staging` and `production` before you deploy them: they are examples.
 */
export const stages = {
  /** For a first try and for tests with invented data. */
  development: { docs: true },

  /** Encrypted and kept like production, without CloudFront, and with everything deleted with the stack. */
  staging: {
    account: '111122223333',
    region: 'eu-central-1',
    encryptionKey: 'made',
    docs: true,
    alarmEmails: ['onboarding-test@bank.example'],
    retention: { logs: 30, accessLog: 30, audit: 90 },
    backups: { pointInTimeDays: 7 },
    trafficShift: 'canary',
    removal: { data: 'destroy', logs: 'destroy' },
    logDataProtection: true,
    tags: { service: 'onboarding', stage: 'staging' },
  },

  production: {
    account: '444455556666',
    region: 'eu-central-1',
    domain: {
      name: 'onboarding.bank.example',
      certificate: 'arn:aws:acm:us-east-1:444455556666:certificate/00000000-0000-0000-0000-000000000001',
    },
    edge: {
      origin: {
        name: 'onboarding-origin.bank.example',
        certificate: 'arn:aws:acm:eu-central-1:444455556666:certificate/00000000-0000-0000-0000-000000000002',
      },
    },
    encryptionKey: 'made',
    alarmEmails: ['onboarding-operations@bank.example'],
    backups: { copies: { copyTo: 'arn:aws:backup:eu-west-1:777788889999:backup-vault:onboarding' } },
    trafficShift: 'linear',
    messages: { senders: { 'news.bank.example': [] } },
    logDataProtection: true,
    tags: { service: 'onboarding', stage: 'production' },
  },
} as const satisfies Record<string, SettingsInput>;
