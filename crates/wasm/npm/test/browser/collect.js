// The `test` of node:test for a page: collects the tests, runs them in order, and keeps their names, their mistakes and their lines.
const tests = [];

export const test = (name, work) => tests.push({ name, work });

export async function run() {
	const passed = [];
	const failed = [];
	const lines = [];
	console.log = (line) => lines.push(line);
	for (const { name, work } of tests) {
		// The browser has its turn between two tests.
		await new Promise((done) => setTimeout(done));
		try {
			await work();
			passed.push(name);
		} catch (error) {
			const place = error?.stack?.split('\n').find((line) => line.includes('.test.js:'));
			failed.push(`${name}: ${error?.message ?? error}\n${place ?? ''}`);
		}
	}
	return { passed, failed, lines };
}
