// Every entry point in fresh instances, with inputs that grow and that shrink, from 0.1 to 50 MB.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ENTRIES } from './sizes.worker.js';

const ORDERS = [[0.1, 1, 20], [50, 1]];

describe('sizes', { concurrency: 2 }, () => {
	for (const entry of Object.keys(ENTRIES)) {
		test(entry, async () => {
			for (const sizes of ORDERS) {
				const worker = new Worker(new URL('sizes.worker.js', import.meta.url), { workerData: { entry, sizes } });
				const [answer] = await once(worker, 'message');
				assert.equal(answer, 'done');
				await worker.terminate();
			}
		});
	}
});
