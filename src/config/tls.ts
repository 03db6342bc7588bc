/** Certificate and key of HTTPS: read and checked at the start, so that an invalid file is reported with its name. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ValueError } from './values.js';

/** @throws ValueError if the file cannot be read or does not begin with a certificate */
export function readCertificate(path: string): string {
  return readPem(path, 'the path of a PEM file with a certificate', (text) => new X509Certificate(text));
}

/** @throws ValueError if the file cannot be read or is not a key without a passphrase */
export function readPrivateKey(path: string): string {
  return readPem(path, 'the path of a PEM file with a private key without a passphrase', createPrivateKey);
}

function readPem(path: string, expected: string, parse: (text: string) => unknown): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ValueError(path, expected, `it cannot be read (${reasonOf(error)})`);
  }
  try {
    parse(text);
  } catch (error) {
    throw new ValueError(path, expected, `it is not valid (${reasonOf(error)})`);
  }
  return text;
}

/** Whether a key is that of a certificate; both in PEM. */
export function belongTogether(certificate: string, key: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
