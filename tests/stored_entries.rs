//! How many entries are stored, of formats that have room for more than there are.

use looplets::prelude::*;

type Bits = Tensor<Bitmap<Element<f64>>>;
type Bytes = Tensor<Dense<ByteMap<Element<f64>>>>;
type Tree = Tensor<BitTree<Dense<Element<f64>>>>;
type Marks = Tensor<Spa<Pattern>>;
type Nested = Tensor<Bitmap<Bitmap<Element<f64>>>>;

#[test]
fn what_is_stored_is_counted() -> Result<(), Error> {
    let bits: Bits = Tensor::new([70])?;
    assert_eq!((bits.stored(), bits.triplets().len()), (0, 0));
    let bits = Bits::from_triplets([70], [([3], 1.0), ([69], 0.0)], Sum)?;
    assert_eq!(bits.stored(), 2);
    let bytes = Bytes::from_triplets([3, 4], [([0, 3], 1.0), ([2, 0], 2.0), ([2, 1], 3.0)], Sum)?;
    assert_eq!(bytes.stored(), 3);
    let tree = Tree::from_triplets([70, 2], [([0, 1], 1.0), ([69, 0], 2.0)], Sum)?;
    assert_eq!(tree.stored(), 4);
    let marks = Marks::from_triplets([70], [([7], true)], Last)?;
    assert_eq!(marks.stored(), 1);
    let nested = Nested::from_triplets([70, 3], [([0, 1], 1.0), ([69, 0], 2.0)], Sum)?;
    assert_eq!(nested.stored(), 2);
    assert_eq!(Nested::new([0, 3])?.stored(), 0);
    Ok(())
}
