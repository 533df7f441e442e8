// Where code is kept, built, tested and looked after.
import type { Shape } from '../shapes.ts';
import { made, real } from './real.ts';

export const codeTokens: readonly Shape[] = [
  {
    kind: 'GitHub token',
    pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,90})(?!\w)/g,
    holds: real,
  },
  {
    kind: 'GitHub token',
    pattern: /(?<![\w-])ghs_\d{1,20}_[\w-]{1,1000}\.[\w-]{1,4000}\.[\w-]{1,1000}/g,
    holds: real,
  },
  {
    kind: 'GitLab token',
    pattern: /(?<![\w-])gl(?:pat|dt|rt|rtr|ptt|oas|cbt|ffct|ft|imt|agent|soat)-[\w.-]{20,300}/g,
    holds: made,
  },
  { kind: 'GitLab token', pattern: /(?<![\w-])GR1348941[\w-]{20}(?![\w-])/g, holds: real },
  { kind: 'GitLab token', pattern: /(?<!\w)_gitlab_session=([0-9a-f]{32})(?!\w)/g, holds: real },
  { kind: 'npm token', pattern: /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g, holds: real },
  { kind: 'PyPI token', pattern: /(?<!\w)pypi-AgEI[\w-]{50,1000}/g, holds: real },
  { kind: 'RubyGems token', pattern: /(?<!\w)rubygems_[0-9a-f]{48}(?!\w)/g, holds: real },
  { kind: 'Clojars token', pattern: /(?<!\w)CLOJARS_[0-9a-f]{60}(?!\w)/gi, holds: real },
  {
    kind: 'password of NuGet',
    pattern: /<add[ ]{1,4}key="(?:ClearText)?Password"[ ]{0,4}value="([^"<>\n]{8,200})(?=")/gi,
    holds: real,
  },
  {
    kind: 'Artifactory token',
    pattern: /(?<!\w)(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})(?!\w)/g,
    holds: real,
  },
  { kind: 'Octopus Deploy key', pattern: /(?<![\w-])API-[A-Z0-9]{26,32}(?![\w-])/g, holds: made },
  {
    kind: 'Harness token',
    pattern: /(?<![\w.])[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}(?!\w)/g,
    holds: real,
  },
  {
    kind: 'CircleCI token',
    pattern: /(?<![\w-])CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}(?!\w)/g,
    holds: real,
  },
  { kind: 'Buildkite token', pattern: /(?<!\w)bk(?:ua|aj|ct)_[0-9A-Za-z]{40}(?!\w)/g, holds: real },
  { kind: 'Sonar token', pattern: /(?<!\w)sq[upa]_[0-9a-f]{40}(?!\w)/g, holds: real },
  {
    kind: 'Sourcegraph token',
    pattern: /(?<!\w)sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}(?!\w)/gi,
    holds: real,
  },
  {
    kind: 'Sentry token',
    pattern: /(?<!\w)(?:sntryu_[0-9a-f]{64}|sntrys_eyJ[\w+/=-]{60,500})(?!\w)/g,
    holds: real,
  },
  {
    kind: 'New Relic key',
    pattern: /(?<![\w-])NR(?:AK|RA|II|IQ|JS|AL|AA|SP)-[A-Za-z0-9-]{19,32}(?![\w-])/g,
    holds: made,
  },
  {
    kind: 'Dynatrace token',
    pattern: /(?<!\w)dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?!\w)/gi,
    holds: real,
  },
  { kind: 'Postman key', pattern: /(?<![\w-])PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/gi, holds: real },
  { kind: 'README token', pattern: /(?<!\w)rdme_[a-z0-9]{70}(?!\w)/g, holds: real },
  { kind: 'Prefect token', pattern: /(?<!\w)pn[ub]_[A-Za-z0-9]{36}(?!\w)/g, holds: real },
  { kind: 'Pulumi token', pattern: /(?<![\w-])pul-[0-9a-f]{40}(?!\w)/g, holds: real },
  {
    kind: 'Terraform token',
    pattern: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}(?![\w-])/gi,
    holds: real,
  },
  { kind: 'Infracost key', pattern: /(?<![\w-])ico-[A-Za-z0-9]{32}(?!\w)/g, holds: made },
  {
    kind: 'Doppler token',
    pattern: /(?<!\w)dp\.(?:pt|ct|st|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}(?!\w)/g,
    holds: real,
  },
  {
    kind: 'password of Sidekiq',
    pattern: /\/\/([0-9a-f]{8}:[0-9a-f]{8})(?=@(?:gems|enterprise)\.contribsys\.com)/gi,
  },
  {
    kind: 'password of Sidekiq',
    pattern:
      /BUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM["']?[ ]?[=:][ ]?["']?([0-9a-f]{8}:[0-9a-f]{8})(?!\w)/gi,
  },
];
