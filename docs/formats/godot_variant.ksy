# Made from the tables of gdvar-wire by `UPDATE_DOCS=1 cargo test -p gdvar-conformance --test documents formats`.
meta:
  id: godot_variant
  title: A value of Godot 4, as var_to_bytes writes it
  application: Godot Engine
  license: MIT OR Apache-2.0
  endian: le
doc: |
  One value, with all of its bytes. A file of store_var, and a stream of put_var, is a sequence of `record`s.
doc-ref: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
seq:
  - id: root
    type: value
types:
  record:
    seq:
      - id: len_value
        type: u4
      - id: value
        type: value
        size: len_value
  value:
    seq:
      - id: header
        type: u4
      - id: payload
        type:
          switch-on: kind
          cases:
            'kind::nil': nothing
            'kind::godot_bool': godot_bool
            'kind::godot_int': godot_int(has_bit_16)
            'kind::godot_float': godot_float(has_bit_16)
            'kind::godot_string': padded_text
            'kind::vector2': vector2(has_bit_16)
            'kind::vector2i': vector2i
            'kind::rect2': rect2(has_bit_16)
            'kind::rect2i': rect2i
            'kind::vector3': vector3(has_bit_16)
            'kind::vector3i': vector3i
            'kind::transform2d': transform2d(has_bit_16)
            'kind::vector4': vector4(has_bit_16)
            'kind::vector4i': vector4i
            'kind::plane': plane(has_bit_16)
            'kind::quaternion': quaternion(has_bit_16)
            'kind::aabb': aabb(has_bit_16)
            'kind::basis': basis(has_bit_16)
            'kind::transform3d': transform3d(has_bit_16)
            'kind::projection': projection(has_bit_16)
            'kind::color': color
            'kind::string_name': padded_text
            'kind::node_path': node_path
            'kind::rid': rid
            'kind::godot_object': godot_object(has_bit_16)
            'kind::callable': nothing
            'kind::signal': signal
            'kind::dictionary': dictionary(header)
            'kind::godot_array': godot_array(header)
            'kind::packed_byte_array': packed_byte_array
            'kind::packed_int32_array': packed_int32_array
            'kind::packed_int64_array': packed_int64_array
            'kind::packed_float32_array': packed_float32_array
            'kind::packed_float64_array': packed_float64_array
            'kind::packed_string_array': packed_string_array
            'kind::packed_vector2_array': packed_vector2_array(has_bit_16)
            'kind::packed_vector3_array': packed_vector3_array(has_bit_16)
            'kind::packed_color_array': packed_color_array
            'kind::packed_vector4_array': packed_vector4_array(has_bit_16)
    instances:
      kind:
        value: header & 0xff
        enum: kind
      has_bit_16:
        value: (header & 0x10000) != 0
        doc: 64-bit numbers, or an Object as its id
  nothing: {}
  padded_text:
    doc: The byte length, UTF-8, zeros up to a multiple of four
    seq:
      - id: len_bytes
        type: u4
      - id: bytes
        size: len_bytes
      - id: padding
        size: (4 - len_bytes % 4) % 4
    instances:
      text:
        value: bytes.to_s('UTF-8')
  godot_bool:
    seq:
      - id: word
        type: u4
    instances:
      value:
        value: word != 0
  node_path:
    seq:
      - id: name_word
        type: u4
        doc: Bit 31 is always set
      - id: num_subnames
        type: u4
      - id: flags
        type: u4
        doc: Bit 0 is an absolute path, bit 1 one more sub-name (Godot 2)
      - id: names
        type: padded_text
        repeat: expr
        repeat-expr: num_names
      - id: subnames
        type: padded_text
        repeat: expr
        repeat-expr: num_all_subnames
    instances:
      num_names:
        value: name_word & 0x7fffffff
      num_all_subnames:
        value: num_subnames + ((flags & 2) >> 1)
      is_absolute:
        value: (flags & 1) != 0
  godot_object:
    params:
      - id: is_id
        type: bool
    seq:
      - id: id
        type: u8
        if: is_id
      - id: class_name
        type: padded_text
        if: not is_id
      - id: num_properties
        type: s4
        if: not is_id and class_name.len_bytes > 0
      - id: properties
        type: property
        repeat: expr
        repeat-expr: num_properties
        if: not is_id and class_name.len_bytes > 0 and num_properties > 0
  property:
    seq:
      - id: name
        type: padded_text
      - id: value
        type: value
  pair:
    seq:
      - id: key
        type: value
      - id: value
        type: value
  packed_byte_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        size: num_elements
      - id: padding
        size: (4 - num_elements % 4) % 4
  packed_string_array:
    doc: The length of each text counts a NUL at its end
    seq:
      - id: num_elements
        type: s4
      - id: elements
        type: padded_text
        repeat: expr
        repeat-expr: num_elements
        if: num_elements > 0
  element_type:
    params:
      - id: typing
        type: u4
        doc: 0 none, 1 a type number, 2 the name of a class, 3 the path of a script
    seq:
      - id: number
        type: u4
        enum: kind
        if: typing == 1
      - id: name
        type: padded_text
        if: typing >= 2
  dictionary:
    params:
      - id: header
        type: u4
    seq:
      - id: key_type
        type: element_type((header >> 16) & 3)
      - id: value_type
        type: element_type((header >> 18) & 3)
      - id: count_word
        type: u4
      - id: pairs
        type: pair
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  godot_array:
    params:
      - id: header
        type: u4
    seq:
      - id: element_type
        type: element_type((header >> 16) & 3)
      - id: count_word
        type: u4
      - id: elements
        type: value
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  signal:
    seq:
      - id: name
        type: padded_text
      - id: object_id
        type: u8
  rid:
    seq:
      - id: id
        type: u8
  real:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: f4
        if: not wide
      - id: wide_value
        type: f8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
  integer:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: s4
        if: not wide
      - id: wide_value
        type: s8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
  godot_int:
    params:
      - id: wide
        type: bool
    seq:
      - id: value
        type: integer(wide)
  godot_float:
    params:
      - id: wide
        type: bool
    seq:
      - id: value
        type: real(wide)
  vector2:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
  vector2i:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
  rect2:
    params:
      - id: wide
        type: bool
    seq:
      - id: position_x
        type: real(wide)
      - id: position_y
        type: real(wide)
      - id: size_x
        type: real(wide)
      - id: size_y
        type: real(wide)
  rect2i:
    seq:
      - id: position_x
        type: s4
      - id: position_y
        type: s4
      - id: size_x
        type: s4
      - id: size_y
        type: s4
  vector3:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
      - id: z
        type: real(wide)
  vector3i:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
  transform2d:
    params:
      - id: wide
        type: bool
    seq:
      - id: x_x
        type: real(wide)
      - id: x_y
        type: real(wide)
      - id: y_x
        type: real(wide)
      - id: y_y
        type: real(wide)
      - id: origin_x
        type: real(wide)
      - id: origin_y
        type: real(wide)
  vector4:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
      - id: z
        type: real(wide)
      - id: w
        type: real(wide)
  vector4i:
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
      - id: w
        type: s4
  plane:
    params:
      - id: wide
        type: bool
    seq:
      - id: normal_x
        type: real(wide)
      - id: normal_y
        type: real(wide)
      - id: normal_z
        type: real(wide)
      - id: d
        type: real(wide)
  quaternion:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
      - id: z
        type: real(wide)
      - id: w
        type: real(wide)
  aabb:
    params:
      - id: wide
        type: bool
    seq:
      - id: position_x
        type: real(wide)
      - id: position_y
        type: real(wide)
      - id: position_z
        type: real(wide)
      - id: size_x
        type: real(wide)
      - id: size_y
        type: real(wide)
      - id: size_z
        type: real(wide)
  basis:
    params:
      - id: wide
        type: bool
    seq:
      - id: x_x
        type: real(wide)
      - id: y_x
        type: real(wide)
      - id: z_x
        type: real(wide)
      - id: x_y
        type: real(wide)
      - id: y_y
        type: real(wide)
      - id: z_y
        type: real(wide)
      - id: x_z
        type: real(wide)
      - id: y_z
        type: real(wide)
      - id: z_z
        type: real(wide)
  transform3d:
    params:
      - id: wide
        type: bool
    seq:
      - id: basis_x_x
        type: real(wide)
      - id: basis_y_x
        type: real(wide)
      - id: basis_z_x
        type: real(wide)
      - id: basis_x_y
        type: real(wide)
      - id: basis_y_y
        type: real(wide)
      - id: basis_z_y
        type: real(wide)
      - id: basis_x_z
        type: real(wide)
      - id: basis_y_z
        type: real(wide)
      - id: basis_z_z
        type: real(wide)
      - id: origin_x
        type: real(wide)
      - id: origin_y
        type: real(wide)
      - id: origin_z
        type: real(wide)
  projection:
    params:
      - id: wide
        type: bool
    seq:
      - id: x_x
        type: real(wide)
      - id: x_y
        type: real(wide)
      - id: x_z
        type: real(wide)
      - id: x_w
        type: real(wide)
      - id: y_x
        type: real(wide)
      - id: y_y
        type: real(wide)
      - id: y_z
        type: real(wide)
      - id: y_w
        type: real(wide)
      - id: z_x
        type: real(wide)
      - id: z_y
        type: real(wide)
      - id: z_z
        type: real(wide)
      - id: z_w
        type: real(wide)
      - id: w_x
        type: real(wide)
      - id: w_y
        type: real(wide)
      - id: w_z
        type: real(wide)
      - id: w_w
        type: real(wide)
  color:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  packed_int32_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: s4
        repeat: expr
        repeat-expr: num_elements
  packed_int64_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: s8
        repeat: expr
        repeat-expr: num_elements
  packed_float32_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: f4
        repeat: expr
        repeat-expr: num_elements
  packed_float64_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: f8
        repeat: expr
        repeat-expr: num_elements
  packed_vector2_array_element:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
  packed_vector2_array:
    params:
      - id: wide
        type: bool
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_vector2_array_element(wide)
        repeat: expr
        repeat-expr: num_elements
  packed_vector3_array_element:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
      - id: z
        type: real(wide)
  packed_vector3_array:
    params:
      - id: wide
        type: bool
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_vector3_array_element(wide)
        repeat: expr
        repeat-expr: num_elements
  packed_color_array_element:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  packed_color_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_color_array_element
        repeat: expr
        repeat-expr: num_elements
  packed_vector4_array_element:
    params:
      - id: wide
        type: bool
    seq:
      - id: x
        type: real(wide)
      - id: y
        type: real(wide)
      - id: z
        type: real(wide)
      - id: w
        type: real(wide)
  packed_vector4_array:
    params:
      - id: wide
        type: bool
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_vector4_array_element(wide)
        repeat: expr
        repeat-expr: num_elements
enums:
  kind:
    0: nil
    1: godot_bool
    2: godot_int
    3: godot_float
    4: godot_string
    5: vector2
    6: vector2i
    7: rect2
    8: rect2i
    9: vector3
    10: vector3i
    11: transform2d
    12: vector4
    13: vector4i
    14: plane
    15: quaternion
    16: aabb
    17: basis
    18: transform3d
    19: projection
    20: color
    21: string_name
    22: node_path
    23: rid
    24: godot_object
    25: callable
    26: signal
    27: dictionary
    28: godot_array
    29: packed_byte_array
    30: packed_int32_array
    31: packed_int64_array
    32: packed_float32_array
    33: packed_float64_array
    34: packed_string_array
    35: packed_vector2_array
    36: packed_vector3_array
    37: packed_color_array
    38: packed_vector4_array
