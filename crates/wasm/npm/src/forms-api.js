// The exports of `gdvar/forms`.

export { File, openFile } from './file.js';
export {
	Bytes,
	Edit,
	GdvarError,
	close,
	contents,
	convert,
	detect,
	diff,
	edit,
	fromJSON,
	locate,
	lossesOfJSON,
	str_to_var,
	toJSON,
	typeOf,
	validate,
	var_to_str,
} from './forms.js';
